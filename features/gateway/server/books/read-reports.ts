import type { Deps } from '#platform/server/feature.ts'
import { readGatewayConfig } from '../config.ts'
import type { OurUse } from './data.ts'
import type { Upstreams } from '../upstreams/upstreams.ts'
import { vendors } from '../vendors/index.ts'
import type { ModelVendor } from '../vendors/port.ts'
import type { ReportedUse } from '../vendors/report-port.ts'

/** A vendor's book and the upstreams whose calls belong to it. */
export interface VendorBook {
  readonly name: string
  readonly ours: readonly OurUse[]
  /** undefined if the book has no report or the vendor did not respond */
  readonly reported: readonly ReportedUse[] | undefined
  /** The vendor should have responded and did not. */
  readonly isUnread: boolean
}

/**
 * Groups our use by book: upstreams at a vendor's own address share the vendor's report; an upstream at another address (a reseller)
 * has its own book without a report. Configured vendors are queried even if we have no calls: use that only they report is the worst
 * drift.
 */
export async function readReports(
  deps: Pick<Deps, 'config' | 'log' | 'clock'>,
  upstreams: Upstreams,
  used: readonly OurUse[],
  day: string,
  send: typeof fetch = fetch,
): Promise<VendorBook[]> {
  const config = readGatewayConfig(deps.config)
  const text = (name: string) => {
    const value = config[name]
    return typeof value === 'string' && value ? value : undefined
  }
  const ours = new Map<string, OurUse[]>()
  for (const use of used) {
    const name = resolveBookName(upstreams, use.upstream)
    const uses = ours.get(name)
    if (uses) uses.push(use)
    else ours.set(name, [use])
  }
  const asked = vendors.filter(({ id, report }) => report && (report.needs.length ? report.needs.every(text) : ours.has(id)))
  const names = [...new Set([...ours.keys(), ...asked.map((vendor) => vendor.id)])].toSorted()
  return Promise.all(
    names.map(async (name): Promise<VendorBook> => {
      const vendor = asked.find((one) => one.id === name)
      const book = { name, ours: ours.get(name) ?? [] }
      if (!vendor?.report) return { ...book, reported: undefined, isUnread: false }
      const server = upstreams.vendorOf(vendor.id)
      try {
        const question = { send, config: text, day, now: deps.clock.now(), baseUrl: server?.baseUrl ?? vendor.baseUrl, key: server?.key ?? '' }
        return { ...book, reported: await vendor.report.read(question), isUnread: false }
      } catch (error) {
        deps.log.error({ err: error, vendor: name, day }, 'a vendor’s report could not be read')
        return { ...book, reported: undefined, isUnread: true }
      }
    }),
  )
}

function resolveBookName(upstreams: Upstreams, upstream: string): string {
  const server = upstreams.vendorOf(upstream)
  if (!server || server.vendor.id === upstream) return upstream
  const home: ModelVendor = server.vendor
  return new URL(server.baseUrl).host === new URL(upstreams.vendorOf(home.id)?.baseUrl ?? home.baseUrl).host ? home.id : upstream
}
