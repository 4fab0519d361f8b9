import { Plus } from 'lucide-react'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { useAddress } from '../kit/address.ts'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { useHasPermission } from '../kit/use-me.ts'
import { announcementsApi, ANNOUNCEMENT_TONES } from './api.ts'
import type { Announcement } from './api.ts'
import { AnnouncementSheet } from './announcement-sheet.tsx'
import { NewAnnouncement } from './announcement-form.tsx'
import { announcementTexts } from './texts.ts'
import { ANNOUNCEMENTS_STATE_TEXT } from './state-texts.ts'

const NEW = 'new'

/** Announcements at the top of customers' pages: current, planned and past. */
export function AnnouncementsScreen() {
  const t = useTexts(announcementTexts)
  const lang = useLang()
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const may = useHasPermission()
  const [params, go] = useAddress()
  return (
    <ListScreen<Announcement>
      name="announcements"
      title={t('title')}
      about={t('about')}
      actions={
        may('announcements.make') ? (
          <Button onClick={() => go({ open: NEW })}>
            <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('new')}
          </Button>
        ) : null
      }
      load={({ after, limit, view }, signal) =>
        announcementsApi.announcements({ limit, view: view === 'over' ? 'over' : 'kept', ...(after === undefined ? {} : { after }) }, { signal })
      }
      file="/operator/announcements"
      rowKey={({ id }) => id}
      views={[
        { id: 'kept', label: t('kept'), set: { view: undefined } },
        { id: 'over', label: t('over'), set: { view: 'over' } },
      ]}
      columns={[
        {
          key: 'title',
          header: t('colTitle'),
          mobile: 'title',
          cell: (row) => <strong className="block max-w-[44ch] truncate font-semibold">{lang === 'zh' ? row.titleZh : row.titleEn}</strong>,
          csv: (row) => `${row.titleZh} / ${row.titleEn}`,
        },
        {
          key: 'state',
          header: t('colState'),
          mobile: 'primary',
          cell: (row) => <Badge tone={ANNOUNCEMENT_TONES[row.state]}>{t(ANNOUNCEMENTS_STATE_TEXT[row.state])}</Badge>,
          csv: (row) => row.state,
        },
        { key: 'place', aside: true, header: t('colPlace'), cell: (row) => say.value(row.place), csv: (row) => row.place },
        { key: 'from', aside: true, header: t('colFrom'), cell: (row) => <Time at={row.from} />, csv: (row) => row.from },
        { key: 'until', header: t('colUntil'), cell: (row) => <Time at={row.until} />, csv: (row) => row.until },
        { key: 'by', aside: true, header: t('colBy'), cell: (row) => nameOf(row.madeBy), csv: (row) => row.madeBy },
      ]}
      empty={params['view'] === 'over' ? { title: t('emptyOver') } : { title: t('emptyTitle'), body: t('emptyBody') }}
      pollMs={30_000}
      sheet={({ id, close }) => (id === NEW ? <NewAnnouncement onClose={close} /> : <AnnouncementSheet key={id} id={id} onClose={close} />)}
    />
  )
}
