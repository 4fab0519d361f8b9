import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

// Loaded before the platform: names under `rebind.test` belong to an attacker, whose name server changes its answers. All other names
// resolve as usual.
const PUBLIC_ADDRESS = '93.184.215.14'
const INNER_ADDRESS = '127.0.0.7'
const METADATA_ADDRESS = '169.254.169.254'
const queryCounts = new Map<string, number>()

/** Addresses chosen by the first label; a second query for the same name may get different ones. */
function answersOf(name: string): string[] {
  const times = (queryCounts.get(name) ?? 0) + 1
  queryCounts.set(name, times)
  const kind = name.split(/[.-]/)[0]
  if (kind === 'later') return [times === 1 ? PUBLIC_ADDRESS : INNER_ADDRESS]
  if (kind === 'turns') return [times % 2 ? PUBLIC_ADDRESS : INNER_ADDRESS]
  if (kind === 'both') return [PUBLIC_ADDRESS, INNER_ADDRESS]
  if (kind === 'mapped') return ['::ffff:127.0.0.7']
  if (kind === 'nat64') return ['64:ff9b::7f00:7']
  if (kind === 'zero') return ['0.0.0.0']
  return kind === 'azure' ? ['168.63.129.16'] : [METADATA_ADDRESS]
}
const isAttackerName = (name: unknown): name is string => typeof name === 'string' && /(?:^|\.)rebind\.test\.?$/i.test(name)
const rowsOf = (name: string) => answersOf(name.toLowerCase()).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const systemLookup = dns.lookup as (...given: unknown[]) => void
const lookupWithAttacker = (name: string, ...rest: unknown[]): void => {
  if (!isAttackerName(name)) return systemLookup(name, ...rest)
  const done = rest.at(-1) as (error: null, ...answer: unknown[]) => void
  const options = (rest.length > 1 ? rest[0] : {}) as { all?: boolean }
  const rows = rowsOf(name)
  setImmediate(() => (options.all ? done(null, rows) : done(null, rows[0]!.address, rows[0]!.family)))
}
Object.assign(dns, { lookup: Object.assign(lookupWithAttacker, dns.lookup) })

const systemLookupPromise = dns.promises.lookup as (...given: unknown[]) => Promise<unknown>
const lookupPromiseWithAttacker = async (name: string, options?: { all?: boolean }): Promise<unknown> => {
  if (!isAttackerName(name)) return systemLookupPromise(name, options)
  const rows = rowsOf(name)
  return options?.all ? rows : rows[0]
}
Object.assign(dns.promises, { lookup: lookupPromiseWithAttacker })

/** Mocks `Resolver.resolve4` and `resolve6`; both queries for a name count as one. */
const { resolve4, resolve6 } = dns.promises.Resolver.prototype
const wrapResolver = (whole: (name: string) => Promise<unknown>, family: 4 | 6) =>
  async function resolve(this: dns.promises.Resolver, name: string): Promise<unknown> {
    if (!isAttackerName(name)) return whole.call(this, name)
    return family === 6 ? [] : answersOf(name.toLowerCase())
  }
Object.assign(dns.promises.Resolver.prototype, { resolve4: wrapResolver(resolve4, 4), resolve6: wrapResolver(resolve6, 6) })
syncBuiltinESMExports()
