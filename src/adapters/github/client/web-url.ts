/** An address to show: as a URL spells it, so that nothing in it moves a cursor wherever it is shown; empty when it is none. */
import { z } from 'zod';

export const webUrl = z.string().transform((text) => (URL.canParse(text) ? new URL(text).href : ''));
