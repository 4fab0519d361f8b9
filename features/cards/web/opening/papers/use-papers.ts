import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import type { OpeningFlow } from '#features/identity/contract.ts'
import { MAX_UPLOAD_BYTES, UPLOAD_TYPES } from '#features/identity/contract-words.ts'
import type { IdentityPaper, IdentityPicture, UploadPurpose } from '#features/identity/contract-words.ts'
import { mergeReadings, isPaperSide } from '../form.ts'
import type { PaperValues } from '../form.ts'
import { flowApi, papersApi } from '../opening-api.ts'
import { useRefreshOpeningFlow, useSetOpeningFlow } from '../use-opening.ts'

const LONGEST = 2400

/**
 * A photo from a phone has 5 MB and more; reading needs a tenth of it. The browser shrinks it, so that the upload takes seconds on a slow
 * line. If the browser cannot, the file is sent unchanged.
 */
async function shrinkPicture(file: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file)
    const share = Math.min(1, LONGEST / Math.max(picture.width, picture.height))
    if (share === 1 && file.size < 2_000_000) return file
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * share)
    canvas.height = Math.round(picture.height * share)
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.9))
    return blob ?? file
  } catch {
    return file
  }
}

/** True if a file cannot be sent at all. */
function isUnsupportedFile(file: File): boolean {
  return !(UPLOAD_TYPES as readonly string[]).includes(file.type) || (file.size > MAX_UPLOAD_BYTES && typeof createImageBitmap !== 'function')
}

/** Requests permission, uploads a file and completes it; resolves to its name. */
async function uploadPaper(purpose: UploadPurpose, file: File): Promise<string> {
  const body = await shrinkPicture(file)
  const type = (UPLOAD_TYPES as readonly string[]).includes(body.type) ? (body.type as (typeof UPLOAD_TYPES)[number]) : 'image/jpeg'
  const policy = await papersApi.uploadPolicy({ purpose, type, size: body.size })
  const form = new FormData()
  for (const [name, value] of Object.entries(policy.fields)) form.append(name, value)
  form.append('file', body)
  const sent = await fetch(policy.url, { method: 'POST', body: form })
  if (!sent.ok) throw new Error(String(sent.status))
  await papersApi.uploadDone({ filePath: policy.filePath })
  return policy.filePath
}

export type SideState =
  | { readonly at: 'idle' }
  | { readonly at: 'uploading' | 'reading' }
  | { readonly at: 'wrong'; readonly is: string }
  | { readonly at: 'failed'; readonly text: 'uploadFailed' | 'noneRead' | 'readerAway' | string }

const READERS = { idFront: papersApi.ocrIdCardFace, idBack: papersApi.ocrIdCardBack, passport: papersApi.ocrPassport }
const SAVE_MS = 800

export interface PapersForm {
  readonly values: PaperValues
  readonly confirmed: ReadonlySet<string>
  readonly sides: Readonly<Partial<Record<IdentityPicture, SideState>>>
  readonly set: (changes: PaperValues, clears?: string) => void
  readonly tick: (field: string, on: boolean) => void
  readonly choose: (side: IdentityPicture, file: File) => void
  /** Saves the typed values to the server now. */
  readonly flush: () => Promise<void>
}

/** Typed values, confirmations and pictures; stored on the server, sealed, so that another device can continue. */
export function useOpeningPapers(flow: OpeningFlow): PapersForm {
  const setFlow = useSetOpeningFlow()
  const refresh = useRefreshOpeningFlow()
  const [typed, setTyped] = useState<PaperValues>(
    () => flow.draft?.values ?? (flow.saved ? { paper: flow.saved.paper, chineseName: flow.saved.chineseName } : {}),
  )
  const [ticks, setTicks] = useState<ReadonlySet<string>>(() => new Set(flow.draft?.confirmed ?? []))
  const [sides, setSides] = useState<PapersForm['sides']>({})
  const latest = useRef({ typed, ticks })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = { typed, ticks }
  })
  const flush = useCallback(async () => {
    clearTimeout(timer.current)
    const { typed: values, ticks: confirmed } = latest.current
    await flowApi.saveDraft({ values, confirmed: [...confirmed] })
  }, [])
  const later = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void flush().catch(() => undefined), SAVE_MS)
  }, [flush])
  useEffect(() => () => clearTimeout(timer.current), [])

  const set = useCallback(
    (changes: PaperValues, clears?: string) => {
      setTyped((before) => ({ ...before, ...changes }))
      if (clears) setTicks((before) => new Set([...before].filter((one) => one !== clears)))
      later()
    },
    [later],
  )
  const tick = useCallback(
    (field: string, on: boolean) => {
      setTicks((before) => new Set(on ? [...before, field] : [...before].filter((one) => one !== field)))
      later()
    },
    [later],
  )
  const choose = useCallback(
    (side: IdentityPicture, file: File) => {
      const now = (state: SideState) => setSides((before) => ({ ...before, [side]: state }))
      if (isUnsupportedFile(file)) return now({ at: 'failed', text: 'upload_hint' })
      const work = async () => {
        now({ at: 'uploading' })
        const filePath = await uploadPaper(side, file)
        if (!isPaperSide(side)) {
          setFlow(await flowApi.openingFlow({}))
          return now({ at: 'idle' })
        }
        now({ at: 'reading' })
        const { fields } = await READERS[side]({ filePath })
        // the new picture has other values: discard confirmations and changes made for the previous one
        const read = fields.map(({ name }) => name as string)
        setTicks((before) => new Set([...before].filter((one) => !read.includes(one))))
        setTyped((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name === 'chineseName' || !read.includes(name))))
        setFlow(await flowApi.openingFlow({}))
        now(fields.every(({ value }) => value === '') ? { at: 'failed', text: 'noneRead' } : { at: 'idle' })
      }
      void work().catch((error: unknown) => {
        if (!isApiError(error)) return now({ at: 'failed', text: 'uploadFailed' })
        const { errorName, data } = error
        if (errorName === 'WRONG_PAPER') return now({ at: 'wrong', is: String((data as { is?: string } | null)?.is ?? 'photo') })
        if (errorName === 'READER_AWAY') void refresh()
        now({ at: 'failed', text: errorName === 'READER_AWAY' ? 'readerAway' : error.message })
      })
      return undefined
    },
    [refresh, setFlow],
  )
  const values = useMemo(() => mergeReadings(flow, typed), [flow, typed])
  return { values, confirmed: ticks, sides, set, tick, choose, flush }
}

export const parsePaper = (values: PaperValues): IdentityPaper => (values['paper'] === 'passport' ? 'passport' : 'idcard')
