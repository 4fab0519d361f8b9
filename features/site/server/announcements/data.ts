import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { SiteAnnouncementsRow } from '../tables.ts'

export type Wording = Pick<SiteAnnouncementsRow, 'kind' | 'place' | 'titleZh' | 'titleEn' | 'textZh' | 'textEn' | 'link' | 'startsAt' | 'endsAt'>
export interface AnnouncementRow extends Wording {
  readonly id: string
  readonly madeBy: string
  readonly madeAt: Date
  readonly endedAt: Date | null
  readonly endedBy: string | null
}
const WORDING = 'kind, place, title_zh, title_en, text_zh, text_en, link, starts_at, ends_at'
const FIELDS = `id, ${WORDING}, made_by, made_at, ended_at, ended_by`
const toWordingValues = (row: Wording) => [row.kind, row.place, row.titleZh, row.titleEn, row.textZh, row.textEn, row.link, row.startsAt, row.endsAt]

/** Serializes writers, so that two cannot take the same title. */
export async function lockAnnouncements(sql: Sql): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtext('site.announcements'))`)
}

/** Announcements shown now: warnings first, then the newest. */
export function selectShownAnnouncements(sql: Sql, now: Date, most: number): Promise<AnnouncementRow[]> {
  return sql.query<AnnouncementRow>(
    `select ${FIELDS} from site_announcements where ended_at is null and ends_at > $1 and starts_at <= $1
      order by kind = 'warning' desc, starts_at desc, id desc limit $2`,
    [now, most],
  )
}

/** Finds a shown or planned announcement by id or by its Chinese title. */
export async function findOpenAnnouncement(sql: Sql, now: Date, named: string): Promise<AnnouncementRow | undefined> {
  return first(
    await sql.query<AnnouncementRow>(
      `select ${FIELDS} from site_announcements where (id = $2 or title_zh = $2) and ended_at is null and ends_at > $1 order by id desc limit 1`,
      [now, named],
    ),
  )
}

export async function findAnnouncement(sql: Sql, id: string): Promise<AnnouncementRow | undefined> {
  return first(await sql.query<AnnouncementRow>(`select ${FIELDS} from site_announcements where id = $1`, [id]))
}

export async function insertAnnouncement(sql: Sql, row: Wording & Pick<AnnouncementRow, 'id' | 'madeBy' | 'madeAt'>): Promise<void> {
  await sql.query(`insert into site_announcements (${WORDING}, id, made_by, made_at) values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12)`, [
    ...toWordingValues(row),
    ...[row.id, row.madeBy, row.madeAt],
  ])
}

export async function updateWording(sql: Sql, id: string, row: Wording): Promise<void> {
  await sql.query(
    `update site_announcements set kind = $1, place = $2, title_zh = $3, title_en = $4, text_zh = $5, text_en = $6, link = $7, starts_at = $8, ends_at = $9 where id = $10`,
    [...toWordingValues(row), id],
  )
}

/** Ends an announcement at the given time; null shows it again. */
export async function setAnnouncementEnd(sql: Sql, id: string, ended: { readonly at: Date; readonly by: string } | null): Promise<void> {
  await sql.query('update site_announcements set ended_at = $2, ended_by = $3 where id = $1', [id, ended?.at ?? null, ended?.by ?? null])
}

/** Newest first: the shown and planned ones, or those that have ended. */
export function listAnnouncements(
  sql: Sql,
  now: Date,
  { over, after, limit }: { readonly over: boolean; readonly after: string | undefined; readonly limit: number },
): Promise<AnnouncementRow[]> {
  return sql.query<AnnouncementRow>(
    `select ${FIELDS} from site_announcements where (ended_at is not null or ends_at <= $1) = $2 and ($3::text is null or id < $3) order by id desc limit $4`,
    [now, over, after ?? null, limit],
  )
}
