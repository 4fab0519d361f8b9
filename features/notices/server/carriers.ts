import type { Deps } from '#platform/server/feature.ts'
import { readNoticesConfig } from './config.ts'
import { smsRoutes } from './settings.ts'
import { smsVendors, listSmsVendors } from './vendors/index.ts'
import type { OpenSmsVendor, SmsRegion } from './vendors/port.ts'

export interface Carrier extends OpenSmsVendor {
  readonly id: string
}

const SMS_REGIONS: readonly SmsRegion[] = ['852', '853', '86']

/** Region of an E.164 number; undefined for unsupported regions. */
export function findSmsRegion(to: string): SmsRegion | undefined {
  return SMS_REGIONS.find((region) => to.startsWith(`+${region}`))
}

/** Current carriers of a region, first choice first. */
export async function listCarriers(deps: Pick<Deps, 'config' | 'db' | 'clock' | 'settings'>, region: SmsRegion): Promise<readonly Carrier[]> {
  const config = readNoticesConfig(deps.config)
  const route = (await deps.settings.get(smsRoutes))[region]
  return listSmsVendors(config, route, region).map((vendor) => ({ id: vendor.id, ...vendor.open({ config, sql: deps.db, clock: deps.clock }) }))
}

/** Finds a carrier by id, also one no longer in use, to look up an attempt. */
export function findCarrier(deps: Pick<Deps, 'config' | 'db' | 'clock'>, id: string): Carrier | undefined {
  const vendor = smsVendors.find((one) => one.id === id)
  return vendor && { id, ...vendor.open({ config: readNoticesConfig(deps.config), sql: deps.db, clock: deps.clock }) }
}

/** Regions that can receive codes now, and that sign-in may offer. Empty in production without a carrier. */
export async function listSmsRegions({ config, settings }: Pick<Deps, 'config' | 'settings'>): Promise<readonly SmsRegion[]> {
  const routes = await settings.get(smsRoutes)
  return (['86', '852', '853'] as const).filter((region) => listSmsVendors(readNoticesConfig(config), routes[region], region).length > 0)
}
