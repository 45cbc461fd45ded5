/**
 * All that a model is sent, as one text: what the ledger keeps of a request, and what a recording names by its hash.
 */
export function promptText(request: {
  readonly instructions: string;
  readonly messages: readonly { readonly content: string }[];
}): string {
  return [request.instructions, ...request.messages.map((message) => message.content)].join('\n\n');
}
