import type { Deps } from '#platform/server/feature.ts'
import { noticesConfigOf } from './config.ts'
import { smsRoutes } from './settings.ts'
import { smsVendors, smsVendorsFor } from './vendors/index.ts'
import type { OpenSmsVendor, SmsRegion } from './vendors/port.ts'

export interface Carrier extends OpenSmsVendor {
  readonly id: string
}

const REGIONS: readonly SmsRegion[] = ['852', '853', '86']

/** The region of an E.164 number; undefined for one that we send nothing to. */
export function regionOf(to: string): SmsRegion | undefined {
  return REGIONS.find((region) => to.startsWith(`+${region}`))
}

/** Carriers for a region now, first choice first. */
export async function carriersFor(deps: Pick<Deps, 'config' | 'db' | 'clock' | 'settings'>, region: SmsRegion): Promise<readonly Carrier[]> {
  const config = noticesConfigOf(deps.config)
  const route = (await deps.settings.get(smsRoutes))[region]
  return smsVendorsFor(config, route, region).map((vendor) => ({ id: vendor.id, ...vendor.open({ config, sql: deps.db, clock: deps.clock }) }))
}

/** Finds a carrier by id, also one no longer in use, to look up an attempt. */
export function carrierNamed(deps: Pick<Deps, 'config' | 'db' | 'clock'>, id: string): Carrier | undefined {
  const vendor = smsVendors.find((one) => one.id === id)
  return vendor && { id, ...vendor.open({ config: noticesConfigOf(deps.config), sql: deps.db, clock: deps.clock }) }
}

/** Regions that codes can be sent to now: what sign-in may offer. In production without a carrier: none. */
export async function smsRegions({ config, settings }: Pick<Deps, 'config' | 'settings'>): Promise<readonly SmsRegion[]> {
  const routes = await settings.get(smsRoutes)
  return (['86', '852', '853'] as const).filter((region) => smsVendorsFor(noticesConfigOf(config), routes[region], region).length > 0)
}
