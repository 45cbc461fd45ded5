/** Looking names up: a name server that is busy is asked again, one that says no is believed. */
import { describe, expect, it } from 'vitest';
import { findAddresses, type Lookup } from './find-addresses.ts';

/** A name server that answers in turn with codes of errors and addresses. */
function answering(...answers: readonly (string | readonly string[])[]): { find: Lookup; asked: string[] } {
  const asked: string[] = [];
  const find: Lookup = async (name, options) => {
    const answer = answers[asked.length] ?? 'EAI_AGAIN';
    asked.push(`${name} ${JSON.stringify(options)}`);
    if (typeof answer === 'string') throw Object.assign(new Error(answer), { code: answer });
    return answer.map((address) => ({ address }));
  };
  return { find, asked };
}

describe('looking a name up', () => {
  it('returns all addresses, each once', async () => {
    const { find, asked } = answering(['192.0.2.1', '2001:db8::1', '192.0.2.1']);
    expect(await findAddresses('model.example', find)).toEqual(['192.0.2.1', '2001:db8::1']);
    expect(asked).toEqual(['model.example {"all":true}']);
  });

  it.each([[['EAI_AGAIN', ['192.0.2.1']]], [['EAI_AGAIN', 'EAI_AGAIN', ['192.0.2.1']]]])(
    'asks again when there was no answer: %j',
    async (answers) => {
      const { find, asked } = answering(...answers);
      expect(await findAddresses('model.example', find)).toEqual(['192.0.2.1']);
      expect(asked.length).toBe(answers.length);
    },
  );

  it('does not ask without end', async () => {
    const { find, asked } = answering();
    await expect(findAddresses('model.example', find)).rejects.toMatchObject({ code: 'EAI_AGAIN' });
    expect(asked.length).toBe(3);
  });

  it('believes that there is no such name when it is told so twice', async () => {
    const { find, asked } = answering('ENOTFOUND', ['192.0.2.1']);
    expect(await findAddresses('model.example', find)).toEqual(['192.0.2.1']);
    expect(asked.length).toBe(2);
    const none = answering('ENOTFOUND', 'ENOTFOUND', ['192.0.2.1']);
    await expect(findAddresses('model.example', none.find)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(none.asked.length).toBe(2);
  });

  it('does not ask again when something else is wrong', async () => {
    const { find, asked } = answering('EAI_FAIL', ['192.0.2.1']);
    await expect(findAddresses('model.example', find)).rejects.toMatchObject({ code: 'EAI_FAIL' });
    expect(asked.length).toBe(1);
  });

  it('asks this machine when nobody else is named', async () => {
    expect(await findAddresses('127.0.0.1')).toEqual(['127.0.0.1']);
  });
});
