import { useEffect, useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { currentLang, useTexts } from '#platform/web/i18n.ts'
import { passOutside } from '#platform/web/state/outside.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import { toast } from '#ui/layers/toast.ts'
import type { CallWish } from '../queries.ts'
import { usageApi } from '../gateway-api.ts'
import { gatewayTexts } from '../../texts.ts'

const LINE_FEED = 10
/** The last line begins with the number of calls before it. */
const END_BYTES = 400

export interface Export {
  /** Calls received; undefined while nothing is on its way. */
  readonly received: number | undefined
  start(wish: CallWish): Promise<void>
  cancel(): void
}

/** Downloads a file of calls in pieces, reports progress, and saves it only when complete. */
export function useExport(): Export {
  const t = useTexts(gatewayTexts)
  const [received, setReceived] = useState<number>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const start = async (wish: CallWish) => {
    // Browsers inside apps drop downloads without a word.
    if (stop.current || !passOutside('download')) return
    const controller = (stop.current = new AbortController())
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let lines = 0
    let shownAt = 0
    setReceived(0)
    try {
      const file = await usageApi.usageCsv(
        { ...wish, lang: currentLang() },
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
      if (!(await isWhole(blob, lines))) throw new Error('the file is not whole')
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

/** Header and last line are no calls. */
export async function isWhole(blob: Blob, lines: number): Promise<boolean> {
  const end = await blob.slice(-END_BYTES).text()
  const last = end.trimEnd().split('\r\n').at(-1) ?? ''
  return Number(/\d+/.exec(last.split(',')[0] ?? '')?.[0]) === lines - 2
}
