import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'
import { INDEX_COUNTS } from '../contract-counts.ts'
import type { IndexCount } from '../contract-counts.ts'
import { logo, review } from '../contract.ts'
import type { Logo, Review } from '../contract.ts'

export const landingSetting = setting<'api' | 'member'>('site.landing', z.enum(['api', 'member']), {
  fallback: 'api',
  about: 'The landing page: "api" sells the API, "member" shows all services',
})

/** Operator content: none is shipped. */
export const reviewsSetting = setting<Review[]>('site.reviews', z.array(review).max(9), {
  fallback: [],
  about: 'Up to nine things that customers said, for the member landing page',
})
export const logosSetting = setting<Logo[]>('site.logos', z.array(logo).max(24), {
  fallback: [],
  about: 'Logos or names that run along the member landing page',
})

export const indexCountsSetting = setting<IndexCount[]>('site.index_counts', z.array(z.enum(INDEX_COUNTS)), {
  fallback: [],
  about: 'What `/common/indexCount` tells the public, rounded down: users, cards, calls',
})

export const linkHostsSetting = setting<string[]>('site.link_hosts', z.array(z.string().regex(/^[a-z0-9.-]{1,253}$/)).max(20), {
  fallback: [],
  about: 'Hosts other than this site that announcements may link to, for example status.example.com',
})

export const siteSettings = [linkHostsSetting, landingSetting, reviewsSetting, logosSetting, indexCountsSetting] as const
