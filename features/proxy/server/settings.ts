import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'
import { proxyWords } from './words.ts'
import { exit } from './engine/exits.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'

export const proxyMinutes = setting('proxy.minutes', z.int().min(1).max(1440), { fallback: 20, about: 'Minutes that a password of the proxy is good' })
export const proxyFreeUses = setting('proxy.free_uses', z.int().min(0).max(100), { fallback: 0, about: 'Uses of the proxy that each user has free, once' })
export const proxyTunnels = setting('proxy.tunnels', z.int().min(1).max(1000), {
  fallback: 100,
  about: 'Tunnels at once of one account of the proxy, over all its processes',
})
export const proxyMegabits = setting('proxy.megabits', z.number().min(0.1).max(1000), {
  fallback: 20,
  about: 'Megabits a second of one account of the proxy, both directions together',
})
export const proxyMegabytes = setting('proxy.megabytes', z.int().min(1).max(100_000), {
  fallback: 2000,
  about: 'Megabytes that one use of the proxy may move, or all sessions of the accelerated browser that begin within browser.session_minutes',
})
export const proxyExits = setting(
  'proxy.exits',
  z
    .array(exit)
    .min(1)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length && all.some(({ isOn }) => isOn)),
  {
    fallback: [{ id: 'direct', ...mapLangs((lang) => proxyWords[lang].exit_default), isOn: true }],
    about: 'Ways out of the proxy: without an address this machine’s own, else an upstream proxy; its credentials stand in the environment',
  },
)
export const proxyRefused = setting('proxy.refused_networks', z.array(z.union([z.cidrv4(), z.cidrv6()])), {
  fallback: [] as string[],
  about: 'Public networks that the proxy does not reach, the platform’s own for instance',
})
export const extensionCodeMinutes = setting('proxy.code_minutes', z.int().min(1).max(60), {
  fallback: 5,
  about: 'Minutes that a code for the browser extension is good',
})
export const extensionTries = setting('proxy.code_tries', z.int().min(1).max(100), {
  fallback: 20,
  about: 'Wrong codes for the browser extension an hour from one IP address',
})

export const proxySettings = [
  proxyMinutes,
  proxyFreeUses,
  proxyTunnels,
  proxyMegabits,
  proxyMegabytes,
  proxyExits,
  proxyRefused,
  extensionCodeMinutes,
  extensionTries,
]
