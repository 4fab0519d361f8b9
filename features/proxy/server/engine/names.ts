import { Resolver } from 'node:dns/promises'

const TIMEOUT_MS = 3_000
const MAX_ATTEMPTS = 2
/** Names that the public DNS does not know (RFC 6761, RFC 6762). */
const LOCAL_NAMES = /(^|\.)(invalid|localhost|local)$/i

/**
 * The addresses of a name, IPv4 first. Asked over the network alone: `dns.lookup` would take one of the process's few threads for as long as a
 * name server keeps silent, and would know the names in this machine's own hosts file.
 */
export async function resolveAddresses(name: string, servers?: readonly string[]): Promise<readonly string[]> {
  if (LOCAL_NAMES.test(name)) return []
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: MAX_ATTEMPTS })
  if (servers) resolver.setServers(servers)
  const none = (): string[] => []
  return (await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)])).flat()
}
