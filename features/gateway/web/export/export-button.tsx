import { Download, X } from 'lucide-react'
import { formatCount } from '#platform/shared/show-money.ts'
import { useTexts, getCurrentLang } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { gatewayTexts } from '../../texts.ts'
import type { CallQuery } from '../queries.ts'
import { useEffect, useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { ensureRealBrowser } from '#platform/web/state/outside.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import { toast } from '#ui/layers/toast.ts'
import { usageApi } from '../gateway-api.ts'

const LINE_FEED = 10
/** Size of the file's end to read. The last line begins with the number of calls before it. */
const TAIL_BYTES = 400

interface CallExport {
  /** Calls received; undefined while no export is running. */
  readonly received: number | undefined
  start(wish: CallQuery): Promise<void>
  cancel(): void
}

/** Downloads a file of calls in pieces, reports progress, and saves it only when complete. */
function useExport(): CallExport {
  const t = useTexts(gatewayTexts)
  const [received, setReceived] = useState<number>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const start = async (wish: CallQuery) => {
    // In-app browsers drop downloads silently.
    if (stop.current || !ensureRealBrowser('download')) return
    const controller = (stop.current = new AbortController())
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let lines = 0
    let shownAt = 0
    setReceived(0)
    try {
      const file = await usageApi.usageCsv(
        { ...wish, lang: getCurrentLang() },
        {
          signal: controller.signal,
          alone: true,
          onPiece: (piece) => {
            pieces.push(piece)
            for (const byte of piece) if (byte === LINE_FEED) lines++
            if (performance.now() - shownAt < 100) return
            shownAt = performance.now()
            setReceived(Math.max(0, lines - 1))
          },
        },
      )
      const blob = new Blob(pieces, { type: file.type })
      if (!(await isCompleteExport(blob, lines))) throw new Error('the file is not whole')
      saveBlob(blob, file.filename)
      toast.success(t('exportSaved', { name: file.filename }))
    } catch (error) {
      if (!controller.signal.aborted) toast.error(isApiError(error) ? error.message : t('exportBroken'))
    } finally {
      stop.current = undefined
      setReceived(undefined)
    }
  }
  return { received, start, cancel: () => stop.current?.abort() }
}

/** The header and the last line are not calls. */
export async function isCompleteExport(blob: Blob, lines: number): Promise<boolean> {
  const end = await blob.slice(-TAIL_BYTES).text()
  const last = end.trimEnd().split('\r\n').at(-1) ?? ''
  return Number(/\d+/.exec(last.split(',')[0] ?? '')?.[0]) === lines - 2
}

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
