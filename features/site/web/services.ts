import { ZONE_OF_SERVICE, type ServiceId, type ServiceZone } from '#features/services/contract-zones.ts'

/** A service that is or will be sold. Texts: `svc_<id>`, `_body`, `_time`, `_price`, `_do`; of its landing `land_<id>_…`. */
export interface SoldService {
  readonly id: Exclude<ServiceId, 'forward'>
  readonly zone: ServiceZone
  /** Page of the service; for a service of the kit, the catalogue has it. */
  readonly to?: string
  /** Its name in the service catalogue, which lists open services; any other service is not available yet. */
  readonly kit?: string
  /** Name of the service whose price is shown, if it is another one. */
  readonly priced?: string
  /** Page that explains it; services of the kit have one at /service/<id>. */
  readonly about: string
  /** Slug of its help article. */
  readonly help?: string
}

export type KitId = Exclude<SoldService['id'], 'api' | 'card'>

const buildKitService = (id: KitId, name: string, more: Pick<SoldService, 'priced' | 'help'> = {}): SoldService & { readonly kit: string } => ({
  id,
  zone: ZONE_OF_SERVICE[id],
  kit: name,
  about: `/service/${id}`,
  ...more,
})

export const services: readonly SoldService[] = [
  { id: 'card', zone: ZONE_OF_SERVICE.card, to: '/card', about: '/pay-service', help: 'virtual-card' },
  { id: 'api', zone: ZONE_OF_SERVICE.api, to: '/api', about: '/' },
  buildKitService('flex', 'flex'),
  buildKitService('accelerated', 'browser'),
  buildKitService('upgrade', 'upgrade', { help: 'payment-links' }),
  buildKitService('registration', 'openai'),
  buildKitService('numbers', 'numbers', { priced: 'numberpack' }),
  buildKitService('mail', 'email'),
  buildKitService('proxy', 'proxy'),
  buildKitService('remote', 'remote', { help: 'remote-login' }),
]

export const landings = services.filter((service): service is SoldService & { readonly id: KitId } => service.kit !== undefined)
