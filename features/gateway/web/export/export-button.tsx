import { Download, X } from 'lucide-react'
import { formatCount } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { gatewayTexts } from '../../texts.ts'
import type { CallQuery } from '../queries.ts'
import { useExport } from './use-export.ts'

interface ExportButtonProps {
  readonly wish: CallQuery
  /** Number of calls that the file will contain, if known. */
  readonly total: number | undefined
}

/** Exports the calls of the page's filters to a file. Shows the progress and a way to cancel. */
export function ExportButton({ wish, total }: ExportButtonProps) {
  const t = useTexts(gatewayTexts)
  const { received, start, cancel } = useExport()
  if (received === undefined)
    return (
      <Button variant="secondary" size="sm" onClick={() => void start(wish)}>
        <Download size={14} strokeWidth={1.75} aria-hidden="true" />
        {t('exportCsv')}
      </Button>
    )
  return (
    <div className="flex items-center gap-3 text-13 text-fg-2" role="status">
      {total ? <progress className="h-1.5 w-32 accent-primary" max={total} value={Math.min(received, total)} aria-label={t('exportCsv')} /> : null}
      <span className="num">
        {total ? t('exportProgressOf', { count: formatCount(received), total: formatCount(total) }) : t('exportProgress', { count: formatCount(received) })}
      </span>
      <Button variant="ghost" size="sm" onClick={cancel}>
        <X size={14} strokeWidth={1.75} aria-hidden="true" />
        {t('cancel')}
      </Button>
    </div>
  )
}
