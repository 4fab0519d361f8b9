/** The service zones (product.md 1.2). */
export const SERVICE_ZONES = ['view', 'card', 'independent', 'openai', 'tool'] as const
export type ServiceZone = (typeof SERVICE_ZONES)[number]

/** The zone of each service. The console's menu, the hub at /service and the palette read it. */
export const ZONE_OF_SERVICE = {
  api: 'independent',
  card: 'card',
  flex: 'independent',
  upgrade: 'openai',
  registration: 'openai',
  forward: 'openai',
  numbers: 'tool',
  mail: 'tool',
  proxy: 'tool',
  remote: 'tool',
  accelerated: 'tool',
} as const satisfies Readonly<Record<string, ServiceZone>>
export type ServiceId = keyof typeof ZONE_OF_SERVICE
