/** How often the implementer continues or corrects by itself after a person's order before it asks for a person. */
export const loopLimit = 2;
