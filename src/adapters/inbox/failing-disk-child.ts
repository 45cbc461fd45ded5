/** Writes three deliveries that wait for the disk at the same time, then one more; prints what came of each. */
import { identifyDelivery } from '../../domain/fleet/delivery-id.ts';
import { InboxWriter } from './inbox-writer.ts';

const [folder = '', key = ''] = process.argv.slice(2);
const writer = new InboxWriter(folder, key);

async function write(id: number): Promise<string> {
  const json = Buffer.from(JSON.stringify({ id }));
  try {
    await writer.write([{ name: 'issues', delivery: identifyDelivery(json), json }]);
    return 'written';
  } catch {
    return 'failed';
  }
}

const together = await Promise.all([1, 2, 3].map(write));
process.stdout.write(JSON.stringify([...together, await write(4)]));
await writer.close();
