/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */
import type { Lang } from '#platform/shared/languages.ts'

export interface SiteAnnouncementsRow {
  readonly id: string
  readonly kind: 'news' | 'warning'
  readonly place: 'everywhere' | 'site' | 'console'
  readonly titleZh: string
  readonly titleEn: string
  readonly textZh: string
  readonly textEn: string
  readonly link: string | null
  readonly startsAt: Date
  readonly endsAt: Date
  readonly madeBy: string
  readonly madeAt: Date
  readonly endedAt: Date | null
  readonly endedBy: string | null
}

export interface SiteHelpVotesRow {
  readonly day: Date
  readonly article: string
  readonly language: Lang
  readonly answer: 'yes' | 'no' | 'unclear' | 'wrong' | 'missing'
  readonly votes: number
}

export interface SitePageErrorsRow {
  readonly day: Date
  readonly kind: 'error' | 'promise' | 'page'
  readonly message: string
  readonly place: string
  readonly page: string
  readonly version: string
  readonly times: number
}

export interface SitePageEventsRow {
  readonly day: Date
  readonly event: 'channel_chosen' | 'payment_submitted'
  readonly detail: string
  readonly times: number
}

export interface SitePolicyReportsRow {
  readonly day: Date
  readonly directive: string
  readonly blocked: string
  readonly page: string
  readonly reports: number
}
