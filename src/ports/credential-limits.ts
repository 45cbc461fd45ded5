/** Until when credentials are out of quota, kept beyond the process that found out. Holds names, never secrets. */

export interface CredentialLimits {
  /** By the name of the credential; those whose time has come may be left out. */
  read(model: string): Promise<ReadonlyMap<string, Date>>;
  /** A later time replaces an earlier one, and the other way round: the provider knows best. */
  keep(model: string, credential: string, until: Date): Promise<void>;
}

/** Where nothing is called, there is nothing to remember. */
export const noCredentialLimits: CredentialLimits = {
  read: async () => new Map(),
  keep: async () => undefined,
};
