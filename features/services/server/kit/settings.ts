import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

const dollars = z.string().regex(/^\d{1,5}(\.\d{1,2})?$/)

export const servicePrices = setting('services.prices', z.record(z.string().regex(/^[a-z]+\.[\w-]+$/), dollars), {
  fallback: {} as Record<string, string>,
  about: 'The price book of the services: dollars by `<service>.<product>`; what is not named costs what the service itself says',
})

export const pausedServices = setting('services.paused', z.record(z.string(), z.string().max(200)), {
  fallback: {} as Record<string, string>,
  about: 'Services at which nothing new begins, each with the reason that pages show',
})

export const draftMinutes = setting('services.draft_minutes', z.int().min(5).max(1440), {
  fallback: 60,
  about: 'Minutes that a service is priced and may be paid',
})

export const serviceHours = setting('services.hours', z.object({ from: z.int().min(0).max(23), to: z.int().min(1).max(24) }), {
  fallback: { from: 10, to: 20 },
  about: 'Hours of Beijing time in which people work at the services’ desk',
})

export const leaseMinutes = setting('services.lease_minutes', z.int().min(1).max(240), {
  fallback: 15,
  about: 'Minutes that a person at the desk keeps what was taken',
})

export const measuredDays = setting('services.measured_days', z.int().min(1).max(90), {
  fallback: 7,
  about: 'Days back over which waiting times and success are measured',
})

export const trialLimits = setting('services.trials', z.object({ needsPayer: z.boolean(), perNetworkDay: z.int().min(0).max(10_000) }), {
  fallback: { needsPayer: true, perNetworkDay: 3 },
  about:
    'Trials that cost nothing: whether the account must have paid once or passed the identity check, and how many one network (IPv4 /24, IPv6 /48) may have in a day over all services',
})

export const servicesSettings = [trialLimits, servicePrices, pausedServices, draftMinutes, serviceHours, leaseMinutes, measuredDays]
