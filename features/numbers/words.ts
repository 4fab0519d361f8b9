/** Services that numbers are rented for; the number is `type` on the wire. `any` accepts messages of any service. */
export const NUMBER_SERVICES = ['openai', 'claude', 'google', 'telegram', 'whatsapp', 'discord', 'microsoft', 'any'] as const
export type NumberService = (typeof NUMBER_SERVICES)[number]

/** ISO 3166-1 alpha-2. */
export const NUMBER_COUNTRIES = ['US', 'GB', 'DE', 'BR', 'ID'] as const
export type NumberCountry = (typeof NUMBER_COUNTRIES)[number]

/** `wanted`: no number yet. `failed`: no supplier had one. `cancelled`: given back before a message arrived. */
export const NUMBER_ORDER_STATES = ['wanted', 'waiting', 'received', 'expired', 'cancelled', 'failed'] as const
export type NumberOrderState = (typeof NUMBER_ORDER_STATES)[number]
