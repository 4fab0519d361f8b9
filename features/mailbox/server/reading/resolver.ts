import { readFileSync } from 'node:fs'
import { Resolver } from 'node:dns/promises'

/** How records are looked up: what DKIM, SPF and DMARC rest on. Fails with ENOTFOUND where there are none. */
export type Resolve = (domain: string, type: string) => Promise<string[] | string[][]>

/** Records by name and type: a zone file for tests and for machines without DNS. */
export type Zone = Readonly<Record<string, Readonly<Record<string, readonly (string | readonly string[])[]>>>>

const TIMEOUT_MS = 2_000
const notFound = () => Object.assign(new Error('no such record'), { code: 'ENOTFOUND' })

export function zoneResolver(zone: Zone): Resolve {
  return async (domain, type) => {
    const records = zone[domain.toLowerCase().replace(/\.$/, '')]?.[type]
    if (!records) throw notFound()
    return type === 'TXT' ? records.map((one) => (typeof one === 'string' ? [one] : [...one])) : (records as string[])
  }
}

/** The machine's own DNS, or the zone in a file. */
export function resolverOf(zoneFile: string | undefined): Resolve {
  if (zoneFile) return zoneResolver(JSON.parse(readFileSync(zoneFile, 'utf8')) as Zone)
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  return (domain, type) => resolver.resolve(domain, type) as Promise<string[]>
}
