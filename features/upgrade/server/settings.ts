import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'

export const upgradeServices = setting(
  'upgrade.services',
  z.record(
    z.string().regex(/^[a-z]+$/),
    z.object({ merchants: z.array(z.string().min(2)).min(1), country: z.string().length(2), hosts: z.array(z.string().regex(/^[a-z\d.-]+$/)).min(1) }),
  ),
  {
    fallback: {
      chatgpt: { merchants: ['OPENAI'], country: 'US', hosts: ['pay.openai.com', 'chatgpt.com', 'checkout.stripe.com'] },
      cursor: { merchants: ['CURSOR', 'ANYSPHERE'], country: 'US', hosts: ['checkout.stripe.com'] },
      suno: { merchants: ['SUNO'], country: 'US', hosts: ['checkout.stripe.com'] },
      midjourney: { merchants: ['MIDJOURNEY'], country: 'US', hosts: ['checkout.stripe.com'] },
      x: { merchants: ['X CORP', 'TWITTER'], country: 'US', hosts: ['checkout.stripe.com'] },
      poe: { merchants: ['POE', 'QUORA'], country: 'US', hosts: ['checkout.stripe.com'] },
    },
    about: 'Of each service that is upgraded: how its merchant’s names on a statement begin, its country, and the hosts of its payment pages',
  },
)

export const upgradeLimits = setting(
  'upgrade.limits',
  z.object({
    accounts: z.int().min(1).max(50),
    days: z.int().min(1).max(365),
    riskHours: z.int().min(0).max(720),
    linkHours: z.int().min(1).max(720),
    waitHours: z.int().min(1).max(720),
  }),
  {
    fallback: { accounts: 4, days: 30, riskHours: 12, linkHours: 24, waitHours: 36 },
    about:
      'Accounts of a service that one card may have in so many days; hours until an account that risk control refused is tried again, that a new link is waited for, and that an upgrade waits at most',
  },
)

export const revealMinutes = setting('upgrade.reveal_minutes', z.int().min(1).max(15), {
  fallback: 15,
  about: 'Minutes that the issuer’s frame shows a card to the person who does the task',
})

export const supplierChoice = setting('upgrade.supplier', z.string().max(40), {
  fallback: 'desk',
  about: 'Who does upgrades: desk (people), or a connected supplier; one that is not connected leaves them to the desk',
})

export const upgradeSettings = [upgradeServices, upgradeLimits, revealMinutes, supplierChoice]
