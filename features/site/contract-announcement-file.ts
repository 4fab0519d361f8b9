import { z } from 'zod'
import { mapLangs } from '#platform/shared/map-langs.ts'

const announcementText = z.object({ title: z.string(), text: z.string() })

/** `GET /announcements.json`: all languages in one file, so that shared caches can store it. */
export const announcementFile = z.object({
  announcements: z.array(
    z.object({
      ...{ id: z.string(), kind: z.enum(['news', 'warning']), place: z.enum(['everywhere', 'site', 'console']) },
      ...{ ...mapLangs(() => announcementText), link: z.string(), until: z.string() },
    }),
  ),
})
export type AnnouncementFile = z.output<typeof announcementFile>
export type ShownAnnouncement = AnnouncementFile['announcements'][number]
