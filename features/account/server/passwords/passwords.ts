import { hash, verify } from '@node-rs/argon2'

/** Argon2id (2), 19 MiB, two passes, one lane: the minimum of OWASP and money.md A9. Raise it here; logins upgrade old hashes. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const CURRENT = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST)
}

/** Checks if a hash was made with outdated cost parameters. */
export function isOutdatedHash(stored: string): boolean {
  return !stored.startsWith(CURRENT)
}

let dummyHash: Promise<string> | undefined

/** Creates the dummy hash for unknown accounts; called at start, so that the first request is not slower. */
export function preparePasswords(): Promise<string> {
  return (dummyHash ??= hashPassword(crypto.randomUUID()))
}

/**
 * Compares a password. Without a stored hash it does the same work against a dummy, so that timing does not reveal if an account exists
 * (money.md A4).
 */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  const right = await verify(stored ?? (await preparePasswords()), password)
  return right && stored !== undefined
}
