import { useQuery } from '@tanstack/react-query'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { timeDisplay } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { filesApi, saveFile } from '../kit/list/sheet-file.tsx'
import { Panel } from '../kit/page.tsx'
import { useMay, whileAttended } from '../kit/use-me.ts'
import { Row, Rows } from './own-rows.tsx'
import { ownTexts } from './own-texts.ts'

/** Lists that one has had written into files, for a week. */
export function FilesPanel() {
  const t = useTexts(ownTexts)
  const may = useMay()('lists.export')
  const { run, isRunning } = useSubmit()
  const query = useQuery({ queryKey: ['own', 'files'], queryFn: () => filesApi.exports({}), enabled: may, refetchInterval: whileAttended(5_000) })
  if (!may) return null
  const list = query.data?.rows ?? []
  const save = (id: string) =>
    void run(() => saveFile(id)).then((error) => {
      if (error) toast.error(error.message)
    })
  return (
    <Panel title={t('files')} note={t('filesAbout')} className="col-span-full">
      <Rows query={query} empty={list.length ? undefined : t('noFiles')}>
        {list.map(({ id, path, format, state, rows, madeAt }) => (
          <Row
            key={id}
            head={
              <>
                <span className="num">{path.replace('/operator/', '')}</span> <Badge>{format}</Badge>
              </>
            }
            note={state === 'waiting' ? t('fileWaits', { rows }) : t('fileLine', { rows, at: timeDisplay(madeAt) })}
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
      </Rows>
    </Panel>
  )
}
