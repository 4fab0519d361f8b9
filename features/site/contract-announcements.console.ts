import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'

export const ANNOUNCEMENT_KINDS = ['news', 'warning'] as const
/** Pages that show an announcement: all, public ones, or a customer's own. */
export const ANNOUNCEMENT_PLACES = ['everywhere', 'site', 'console'] as const
export const ANNOUNCEMENT_STATES = ['planned', 'shown', 'over', 'takenBack'] as const

const title = z.string().trim().min(1).max(80)
const text = z.string().trim().max(300).default('')
const time = z.iso.datetime({ offset: true })

/** Texts, place and schedule of an announcement. */
export const announcementWords = z.object({
  ...{ titleZh: title, titleEn: title, textZh: text, textEn: text },
  kind: z.enum(ANNOUNCEMENT_KINDS).default('news'),
  place: z.enum(ANNOUNCEMENT_PLACES).default('everywhere'),
  /** A page of this site, or an https URL. */
  href: z
    .string()
    .trim()
    .max(300)
    .regex(/^(?:|\/(?:[^/\\].*)?|https:\/\/[^\s/@]+(?:\/\S*)?)$/)
    .default(''),
  ...{ from: time, until: time },
})
export type AnnouncementWords = z.output<typeof announcementWords>

const row = announcementWords.extend({
  ...{ id: z.string(), state: z.enum(ANNOUNCEMENT_STATES), textZh: z.string(), textEn: z.string(), href: z.string() },
  ...{ kind: z.enum(ANNOUNCEMENT_KINDS), place: z.enum(ANNOUNCEMENT_PLACES), from: z.string(), until: z.string() },
  ...{ madeBy: z.string(), madeAt: z.string(), endedBy: z.string().nullable(), endedAt: z.string().nullable() },
})

export const announcementsContract = defineContract(commonErrors)({
  announcements: {
    ...{ method: 'GET', access: 'operator', permission: 'work.read', path: '/operator/announcements' },
    summary: 'Announcements to customers, current, planned and past, newest first',
    input: z.object({
      view: z.enum(['kept', 'over']).default('kept'),
      ...{ after: z.string().max(300).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) },
    }),
    reply: z.object({ rows: z.array(row), next: z.string().nullable() }),
    errors: [],
  },
  announcement: {
    ...{ method: 'GET', access: 'operator', permission: 'work.read', path: '/operator/announcement' },
    summary: 'One announcement',
    input: z.object({ id: z.string().max(80) }),
    reply: row,
    errors: ['NOT_FOUND'],
  },
})
