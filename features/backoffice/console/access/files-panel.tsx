import { useQuery } from '@tanstack/react-query'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { filesApi, downloadFile } from '../kit/list/sheet-file.tsx'
import { ConsolePanel } from '../kit/page.tsx'
import { useHasPermission, pollWhileAttended } from '../kit/use-me.ts'
import { OwnSettingsRow, OwnSettingsRows } from './own-rows.tsx'
import { ownTexts } from './own-texts.ts'

/** Lists that one has had written into files, for a week. */
export function FilesPanel() {
  const t = useTexts(ownTexts)
  const may = useHasPermission()('lists.export')
  const { run, isRunning } = useSubmit()
  const query = useQuery({ queryKey: ['own', 'files'], queryFn: () => filesApi.exports({}), enabled: may, refetchInterval: pollWhileAttended(5_000) })
  if (!may) return null
  const list = query.data?.rows ?? []
  const save = (id: string) =>
    void run(() => downloadFile(id)).then((error) => {
      if (error) toast.error(error.message)
    })
  return (
    <ConsolePanel title={t('files')} note={t('filesAbout')} className="col-span-full">
      <OwnSettingsRows query={query} empty={list.length ? undefined : t('noFiles')}>
        {list.map(({ id, path, format, state, rows, madeAt }) => (
          <OwnSettingsRow
            key={id}
            head={
              <>
                <span className="num">{path.replace('/operator/', '')}</span> <Badge>{format}</Badge>
              </>
            }
            note={state === 'waiting' ? t('fileWaits', { rows }) : t('fileLine', { rows, at: displayTime(madeAt) })}
            action={
              state === 'done' ? (
                <Button variant="ghost" disabled={isRunning} onClick={() => save(id)}>
                  {t('download')}
                </Button>
              ) : state === 'failed' ? (
                <Badge tone="danger">{t('fileBroke')}</Badge>
              ) : null
            }
          />
        ))}
      </OwnSettingsRows>
    </ConsolePanel>
  )
}
