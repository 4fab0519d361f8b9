import { readFileSync } from 'node:fs'
import { Resolver } from 'node:dns/promises'

/** DNS lookups for DKIM, SPF and DMARC. Fails with ENOTFOUND if there are no records. */
export type ResolveDns = (domain: string, type: string) => Promise<string[] | string[][]>

/** Records by name and type: a zone file for tests and for machines without DNS. */
export type DnsZone = Readonly<Record<string, Readonly<Record<string, readonly (string | readonly string[])[]>>>>

const TIMEOUT_MS = 2_000
const buildNotFoundError = () => Object.assign(new Error('no such record'), { code: 'ENOTFOUND' })

export function createZoneResolver(zone: DnsZone): ResolveDns {
  return async (domain, type) => {
    const records = zone[domain.toLowerCase().replace(/\.$/, '')]?.[type]
    if (!records) throw buildNotFoundError()
    return type === 'TXT' ? records.map((one) => (typeof one === 'string' ? [one] : [...one])) : (records as string[])
  }
}

/** Uses the machine's DNS, or the zone in a file. */
export function createDnsResolver(zoneFile: string | undefined): ResolveDns {
  if (zoneFile) return createZoneResolver(JSON.parse(readFileSync(zoneFile, 'utf8')) as DnsZone)
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 })
  return (domain, type) => resolver.resolve(domain, type) as Promise<string[]>
}
