/** Composition of the configuration: finds the repository that a command is about, then reads the files. */
import { findPlace } from './compose-house.ts';
import { type Config, loadConfig } from './config/load-config.ts';
import type { BaseConfig } from './config/read-config.ts';
import { isGatewrightError } from './errors.ts';

/** The root of the repository; null when we are in none and none was named. */
export async function findRoot(base: BaseConfig, repository: string | null): Promise<string | null> {
  try {
    return (await findPlace(base, repository)).root;
  } catch (error) {
    if (repository === null && isGatewrightError(error, 'not-a-repository')) return null;
    throw error;
  }
}

export async function composeConfig(
  base: BaseConfig,
  repository: string | null,
): Promise<{ config: Config; root: string | null }> {
  const root = await findRoot(base, repository);
  return { config: loadConfig(base, root), root };
}
