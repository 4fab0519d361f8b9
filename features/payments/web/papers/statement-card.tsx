import { Download } from 'lucide-react'
import { useState } from 'react'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { getCurrentLang, useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { pageTexts } from '../../texts-pages.ts'
import { paperTexts } from '../../texts-papers.ts'
import { paperApi } from '../pages-api.ts'
import { useDownload } from '../save-file.ts'

/** Every entry of the balance as a file; from the first of this month to today unless told. */
export function StatementCard() {
  const t = useTexts(paperTexts)
  const pages = useTexts(pageTexts)
  const { busy, download } = useDownload()
  const [today] = useState(() => toShanghaiDay(Date.now()))
  const [from, setFrom] = useState(() => `${today.slice(0, 8)}01`)
  const [to, setTo] = useState(today)
  const isBackwards = from !== '' && to !== '' && from > to
  const get = () => {
    if (isBackwards) return
    void download(() => paperApi.statementCsv({ ...(from ? { from } : {}), ...(to ? { to } : {}), lang: getCurrentLang() }))
  }
  return (
    <section aria-labelledby="statement-title" className="card p-5 mobile:p-4">
      <h2 id="statement-title" className="text-16 font-semibold">
        {t('statement_title')}
      </h2>
      <p className="mt-1 mb-5 text-14 text-fg-2">{t('statement_about')}</p>
      <div className="grid grid-cols-2 gap-3">
        <TextField label={pages('from')} type="date" value={from} max={to || today} onChange={(event) => setFrom(event.target.value)} />
        <TextField
          label={pages('to')}
          type="date"
          value={to}
          min={from || undefined}
          max={today}
          error={isBackwards ? pages('range_bad') : undefined}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <Button variant="secondary" className="mt-4 mobile:w-full" loading={busy} disabled={isBackwards} onClick={get}>
        {busy ? null : <Download size={16} strokeWidth={1.75} aria-hidden="true" />}
        {t('statement_get')}
      </Button>
    </section>
  )
}
