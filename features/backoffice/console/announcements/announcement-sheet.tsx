import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { FactRows } from '../kit/marks.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { useHasPermission } from '../kit/use-me.ts'
import { announcementsApi, ANNOUNCEMENT_TONES } from './api.ts'
import { AnnouncementPreviews } from './announcement-previews.tsx'
import { ChangeAnnouncementForm } from './announcement-form.tsx'
import { announcementTexts } from './texts.ts'
import { ANNOUNCEMENTS_STATE_TEXT } from './state-texts.ts'

/** One announcement as customers see it, and what can be done with it. */
export function AnnouncementSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(announcementTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const may = useHasPermission()
  const [isChanging, setChanging] = useState(false)
  const read = useQuery({ queryKey: ['announcements', id], queryFn: ({ signal }) => announcementsApi.announcement({ id }, { signal }) })
  const row = read.data
  if (!row)
    return (
      <SideSheet title={t('title')} onClose={onClose}>
        {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : <SkeletonRows rows={6} />}
      </SideSheet>
    )
  if (isChanging) return <ChangeAnnouncementForm row={row} onClose={() => setChanging(false)} />
  const isKept = row.state === 'planned' || row.state === 'shown'
  return (
    <SideSheet
      title={row.titleZh}
      tags={<Badge tone={ANNOUNCEMENT_TONES[row.state]}>{t(ANNOUNCEMENTS_STATE_TEXT[row.state])}</Badge>}
      about={row.titleEn}
      onClose={onClose}
      foot={
        isKept ? (
          <>
            <CommandButton name="announcement.end" input={{ announcement: id }} about={row.titleZh} />
            {may('announcements.make') ? <Button onClick={() => setChanging(true)}>{t('edit')}</Button> : null}
          </>
        ) : row.state === 'takenBack' ? (
          <CommandButton name="announcement.resume" input={{ announcement: id }} about={row.titleZh} />
        ) : null
      }
    >
      <AnnouncementPreviews {...row} />
      <div className="mt-4">
        <FactRows
          rows={[
            [t('kind'), say.value(row.kind)],
            [t('place'), say.value(row.place)],
            [t('from'), <Time key="from" at={row.from} />],
            [t('until'), <Time key="until" at={row.until} />],
            ...(row.href
              ? [
                  [
                    t('more'),
                    <span key="link" className="num [overflow-wrap:anywhere] whitespace-normal">
                      {row.href}
                    </span>,
                  ] as const,
                ]
              : []),
            [t('by', { name: nameOf(row.madeBy) }), <Time key="made" at={row.madeAt} />],
            ...(row.endedAt ? [[t('endedBy', { name: nameOf(row.endedBy ?? '') }), <Time key="ended" at={row.endedAt} />] as const] : []),
          ]}
        />
      </div>
    </SideSheet>
  )
}
