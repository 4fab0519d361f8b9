import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { pick } from '#platform/shared/pick.ts'
import { announcementWords } from '../../contract-announcements.console.ts'
import type { AnnouncementWords } from '../../contract-announcements.console.ts'
import { findAnnouncement, findOpenAnnouncement, insertAnnouncement, lockAnnouncements, updateWording, setAnnouncementEnd } from './data.ts'
import type { AnnouncementRow, Wording } from './data.ts'
import { linkHostsSetting } from '../settings.ts'

const DAY_MS = 86_400_000
const LONGEST_DAYS = 92

/** Id, or the Chinese title of a shown or planned announcement; stored as the id. */
const named = z.object({ announcement: z.string().trim().min(1).max(80) })
type AnnouncementInput = z.output<typeof named>
async function resolve({ db, clock }: Deps, { announcement }: AnnouncementInput): Promise<AnnouncementInput> {
  const row = (await findOpenAnnouncement(db, clock.now(), announcement)) ?? (await findAnnouncement(db, announcement)) ?? fail('NOT_FOUND')
  return { announcement: row.id }
}
const subject = async (_deps: Deps, { announcement }: AnnouncementInput) => `announcement:${announcement}`
const common = { permission: 'announcements.make' } as const

const isOn = (row: AnnouncementRow | undefined) => row !== undefined && row.endedAt === null
const toFacts = (row: AnnouncementRow): CommandFacts => ({
  ...{ ...pick(row, 'kind', 'place', 'titleZh', 'titleEn', 'textZh', 'textEn') },
  ...{ href: row.link, from: row.startsAt.toISOString(), until: row.endsAt.toISOString() },
})
const lookOn = async ({ tx }: CommandExecution, { announcement }: AnnouncementInput): Promise<CommandFacts> => ({
  on: isOn(await findAnnouncement(tx, announcement)),
})

/** A page of this site, or of a host named in the settings, because a link to a foreign host would reach every customer. */
async function requireKnownHost({ settings, siteUrl }: Deps, { href }: Pick<AnnouncementWords, 'href'>): Promise<void> {
  if (!href || href.startsWith('/')) return
  const { hostname } = new URL(href)
  if (hostname !== new URL(siteUrl()).hostname && !(await settings.get(linkHostsSetting)).includes(hostname)) fail('BAD_INPUT', { fields: ['href'] })
}

function toWording(input: AnnouncementWords, now: Date): Wording {
  const [startsAt, endsAt] = [new Date(input.from), new Date(input.until)]
  if (endsAt <= startsAt || endsAt <= now || endsAt.getTime() - startsAt.getTime() > LONGEST_DAYS * DAY_MS) fail('BAD_INPUT', { fields: ['until'] })
  // a partial translation is rejected
  if ((input.textZh === '') !== (input.textEn === '')) fail('BAD_INPUT', { fields: ['textZh', 'textEn'] })
  return {
    ...{ ...pick(input, 'kind', 'place', 'titleZh', 'titleEn', 'textZh', 'textEn') },
    ...{ link: input.href || null, startsAt, endsAt },
  }
}

export const announcementCommands = [
  defineCommand({
    ...common,
    name: 'announcement.plan',
    summary: 'Tells customers something on the pages, in both languages, from a time until a time',
    input: announcementWords,
    subject: async (_deps, { titleZh }) => `announcement:${titleZh}`,
    look: async ({ tx, deps }, { titleZh }) => {
      const row = await findOpenAnnouncement(tx, deps.clock.now(), titleZh)
      return { on: isOn(row), ...(row ? toFacts(row) : {}) }
    },
    run: async ({ tx, by, deps, reason }, input) => {
      const now = deps.clock.now()
      await requireKnownHost(deps, input)
      await lockAnnouncements(tx)
      if (await findOpenAnnouncement(tx, now, input.titleZh)) fail('BAD_INPUT', { fields: ['titleZh'] })
      const id = createId('ann', now.getTime())
      await insertAnnouncement(tx, { ...toWording(input, now), id, madeBy: by.id, madeAt: now })
      await tx.audit('announcement.planned', `announcement:${id}`, { title: input.titleZh, from: input.from, until: input.until, place: input.place, reason })
      return { announcement: id }
    },
    undo: ({ titleZh }) => ({ name: 'announcement.end', input: { announcement: titleZh } }),
  }),
  defineCommand({
    ...common,
    name: 'announcement.change',
    summary: 'Changes what an announcement says, where it stands, or its times',
    input: named.extend(announcementWords.shape),
    resolve: async (deps, input) => ({ ...input, ...(await resolve(deps, input)) }),
    subject,
    look: async ({ tx }, { announcement }) => {
      const row = await findAnnouncement(tx, announcement)
      return { on: isOn(row), ...(row ? toFacts(row) : {}) }
    },
    run: async ({ tx, deps, reason }, { announcement, ...input }) => {
      const now = deps.clock.now()
      await requireKnownHost(deps, input)
      await lockAnnouncements(tx)
      const row = (await findAnnouncement(tx, announcement)) ?? fail('NOT_FOUND')
      const other = await findOpenAnnouncement(tx, now, input.titleZh)
      if (!isOn(row) || row.endsAt <= now || (other && other.id !== row.id)) fail('BAD_INPUT', { fields: [other && other.id !== row.id ? 'titleZh' : 'until'] })
      await updateWording(tx, announcement, toWording(input, now))
      await tx.audit('announcement.changed', `announcement:${announcement}`, { before: toFacts(row), reason })
      return {}
    },
    undo: ({ announcement }, { on: _on, ...before }) => ({ name: 'announcement.change', input: { announcement, ...before, href: before['href'] ?? '' } }),
  }),
  defineCommand({
    ...common,
    name: 'announcement.end',
    summary: 'Takes an announcement off the pages, or out of the plan',
    input: named,
    ...{ resolve, subject, look: lookOn },
    run: async ({ tx, by, deps, reason }, { announcement }) => {
      await lockAnnouncements(tx)
      if (!isOn(await findAnnouncement(tx, announcement))) fail('NOT_FOUND')
      await setAnnouncementEnd(tx, announcement, { at: deps.clock.now(), by: by.id })
      await tx.audit('announcement.ended', `announcement:${announcement}`, { reason })
      return {}
    },
    undo: ({ announcement }) => ({ name: 'announcement.resume', input: { announcement } }),
  }),
  defineCommand({
    ...common,
    name: 'announcement.resume',
    summary: 'Puts an announcement back that was taken off, while its time lasts',
    input: named,
    ...{ resolve, subject, look: lookOn },
    run: async ({ tx, deps, reason }, { announcement }) => {
      const now = deps.clock.now()
      await lockAnnouncements(tx)
      const row = (await findAnnouncement(tx, announcement)) ?? fail('NOT_FOUND')
      const other = await findOpenAnnouncement(tx, now, row.titleZh)
      if (isOn(row) || row.endsAt <= now || other) fail('BAD_INPUT', { fields: [other ? 'titleZh' : 'until'] })
      await setAnnouncementEnd(tx, announcement, null)
      await tx.audit('announcement.resumed', `announcement:${announcement}`, { reason })
      return {}
    },
    undo: ({ announcement }) => ({ name: 'announcement.end', input: { announcement } }),
  }),
] as const
