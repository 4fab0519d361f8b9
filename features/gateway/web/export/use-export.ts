import { useEffect, useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { getCurrentLang, useTexts } from '#platform/web/i18n.ts'
import { ensureRealBrowser } from '#platform/web/state/outside.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import { toast } from '#ui/layers/toast.ts'
import type { CallQuery } from '../queries.ts'
import { usageApi } from '../gateway-api.ts'
import { gatewayTexts } from '../../texts.ts'

const LINE_FEED = 10
/** Size of the file's end to read. The last line begins with the number of calls before it. */
const TAIL_BYTES = 400

export interface CallExport {
  /** Calls received; undefined while no export is running. */
  readonly received: number | undefined
  start(wish: CallQuery): Promise<void>
  cancel(): void
}

/** Downloads a file of calls in pieces, reports progress, and saves it only when complete. */
export function useExport(): CallExport {
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
