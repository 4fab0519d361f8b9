import { Resolver } from 'node:dns/promises'

const TIMEOUT_MS = 3_000
const MAX_ATTEMPTS = 2
/** Names that are never in the public DNS (RFC 6761, RFC 6762). */
const LOCAL_NAMES = /(^|\.)(invalid|localhost|local)$/i

/**
 * Resolves a name to its addresses, IPv4 first, by network queries only: `dns.lookup` would block one of the process's few threads while a
 * name server is silent, and would read this machine's hosts file.
 */
export async function resolveAddresses(name: string, servers?: readonly string[]): Promise<readonly string[]> {
  if (LOCAL_NAMES.test(name)) return []
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: MAX_ATTEMPTS })
  if (servers) resolver.setServers(servers)
  const none = (): string[] => []
  return (await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)])).flat()
}
