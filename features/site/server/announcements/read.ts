import { bind } from '#platform/server/feature.ts'
import type { Ctx, Deps, RawRoute } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { AnnouncementFile } from '../../contract-announcement-file.ts'
import { announcementsContract } from '../../contract-announcements.console.ts'
import { findAnnouncement, listAnnouncements, selectShownAnnouncements } from './data.ts'
import type { AnnouncementRow } from './data.ts'
import { readsHan } from '#platform/shared/languages.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { pick } from '#platform/shared/pick.ts'

type C = typeof announcementsContract
type Row = ReplyOf<C['announcement']>

function resolveState(row: AnnouncementRow, now: Date): Row['state'] {
  if (row.endedAt) return 'takenBack'
  if (row.endsAt <= now) return 'over'
  return row.startsAt > now ? 'planned' : 'shown'
}

const buildView = (row: AnnouncementRow, now: Date): Row => ({
  ...{ id: row.id, state: resolveState(row, now), ...pick(row, 'kind', 'place', 'titleZh', 'titleEn') },
  ...{ textZh: row.textZh, textEn: row.textEn, href: row.link ?? '', from: row.startsAt.toISOString(), until: row.endsAt.toISOString() },
  ...{ madeBy: row.madeBy, madeAt: row.madeAt.toISOString(), endedBy: row.endedBy, endedAt: row.endedAt?.toISOString() ?? null },
})

async function announcements({ db, clock }: Ctx, { view, after, limit }: InputOf<C['announcements']>): Promise<ReplyOf<C['announcements']>> {
  const found = await listAnnouncements(db, clock.now(), { over: view === 'over', after, limit: limit + 1 })
  const rows = found.slice(0, limit).map((row) => buildView(row, clock.now()))
  return { rows, next: found.length > limit ? rows.at(-1)!.id : null }
}

async function announcement({ db, clock }: Ctx, { id }: InputOf<C['announcement']>): Promise<Row> {
  return buildView((await findAnnouncement(db, id)) ?? fail('NOT_FOUND'), clock.now())
}

export const announcementRoutes = bind(announcementsContract, { announcements, announcement })

const MAX_SHOWN = 5
/** Lifetime of the process's cache: a thousand requests in a second cost one statement. */
const FRESH_MS = 2_000
const BROWSER_SECONDS = 30

async function buildFile({ db, clock }: Deps): Promise<AnnouncementFile> {
  const rows = await selectShownAnnouncements(db, clock.now(), MAX_SHOWN)
  return {
    announcements: rows.map((row) => ({
      ...{ id: row.id, kind: row.kind, place: row.place, link: row.link ?? '', until: row.endsAt.toISOString() },
      ...mapLangs((lang) => (readsHan(lang) ? { title: row.titleZh, text: row.textZh } : { title: row.titleEn, text: row.textEn })),
    })),
  }
}

/** GET /announcements.json: identical for all clients, so any cache may store it for half a minute. */
export function createAnnouncementsRoute(): RawRoute {
  // keyed by database, because a test process has several
  const known = new WeakMap<Deps['db'], { readonly at: number; readonly body: Promise<string> }>()
  return {
    method: 'GET',
    path: '/announcements.json',
    role: 'api',
    handle: async (deps) => {
      const now = deps.clock.now().getTime()
      let kept = known.get(deps.db)
      if (!kept || Math.abs(now - kept.at) > FRESH_MS) {
        kept = { at: now, body: buildFile(deps).then((file) => JSON.stringify(file)) }
        known.set(deps.db, kept)
        kept.body.catch(() => known.delete(deps.db))
      }
      const headers = { 'cache-control': `public, max-age=${BROWSER_SECONDS}` }
      return { status: 200, type: 'application/json; charset=utf-8', body: await kept.body, headers }
    },
  }
}
