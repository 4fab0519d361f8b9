import { Camera, RotateCw, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import type { OpeningFlow } from '#features/identity/contract.ts'
import { UPLOAD_TYPES } from '#features/identity/contract-words.ts'
import type { IdentityPicture } from '#features/identity/contract-words.ts'
import { openingTexts } from '../texts.ts'
import { usePicture } from './use-picture.ts'
import type { SideState } from './use-papers.ts'
import { CARDS_SIDE_TEXT } from '../state-texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'

const UPLOAD_TEXT = { passport: 'upload_passport', idFront: 'upload_idFront', idBack: 'upload_idBack', photo: 'upload_photo' } as const
/** Texts of our own failures; other messages come from the server. */
const FAILED_TEXT = { uploadFailed: 'uploadFailed', noneRead: 'noneRead', readerAway: 'readerAway', upload_hint: 'upload_hint' } as const
const WRONG_TEXT = { passport: 'wrong_passport', idFront: 'wrong_idFront', idBack: 'wrong_idBack', photo: 'wrong_photo' } as const

/** Loaded when a picture is enlarged. */
const Dialog = lazy(() => import('#ui/layers/dialog.tsx').then((m) => ({ default: m.Dialog })))

interface TileProps {
  readonly side: IdentityPicture
  readonly file: OpeningFlow['files']['idFront']
  readonly state: SideState
  readonly onFile: (file: File) => void
  /** Shows a thumbnail beside the heading instead of the large picture. */
  readonly small?: boolean
  /** Part of the picture that belongs to the focused field. */
  readonly mark?: { readonly x: number; readonly y: number; readonly w: number; readonly h: number } | undefined
}

/** Upload tile of one picture: empty, uploading, being read, or done. */
export function UploadTile({ side, file, state, onFile, small = false, mark }: TileProps) {
  const t = useTexts(openingTexts)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const src = usePicture(file)
  const [zoom, setZoom] = useState<boolean>()
  const busy = isBusy(state)
  const trouble = state.at === 'wrong' || state.at === 'failed'
  const has = file !== undefined && state.at !== 'wrong'
  const name = t(CARDS_SIDE_TEXT[side])
  return (
    <div className={small ? 'w-[124px]' : 'min-w-0'}>
      <input
        ref={input}
        id={id}
        type="file"
        accept={UPLOAD_TYPES.join(',')}
        {...(side === 'photo' ? { capture: 'user' as const } : {})}
        className="sr-only"
        aria-label={t(UPLOAD_TEXT[side])}
        onChange={(event) => {
          const [picked] = event.target.files ?? []
          if (picked) onFile(picked)
          event.target.value = ''
        }}
      />
      <button
        type="button"
        disabled={busy}
        onClick={() => (has && src ? setZoom(true) : input.current?.click())}
        aria-label={has ? t('enlarge', { name }) : t(UPLOAD_TEXT[side])}
        className={`relative flex w-full flex-col items-center justify-center gap-2 overflow-hidden rounded-card ${small ? 'h-[78px]' : 'aspect-[1.586]'} ${has ? 'border border-line bg-sunken' : 'border-[1.5px] border-dashed border-control bg-surface hover:border-fg-3'}`}
      >
        <Face side={side} src={has ? src : undefined} state={state} small={small} mark={mark} />
      </button>
      <div className={`flex items-center gap-x-2 text-13 ${small ? 'mt-1 flex-col' : 'mt-1.5 justify-between'}`}>
        <span className="text-fg-2">{name}</span>
        {has || trouble ? (
          <button type="button" className="link inline-flex min-h-8 items-center gap-1" onClick={() => input.current?.click()}>
            {small ? null : <RotateCw size={13} aria-hidden="true" />}
            {t('retake')}
          </button>
        ) : null}
      </div>
      <p aria-live="polite" className={`text-13 text-warning ${busy ? 'sr-only' : ''}`}>
        {busy ? t(state.at === 'reading' ? 'reading' : 'uploading') : null}
        {trouble ? (
          <span className="flex items-start gap-1.5">
            <TriangleAlert size={14} strokeWidth={1.75} className="mt-[3px] shrink-0" aria-hidden="true" />
            <Trouble state={state} wanted={name} />
          </span>
        ) : null}
      </p>
      {zoom === undefined ? null : (
        <Suspense fallback={null}>
          <Dialog open={zoom} onClose={() => setZoom(false)} title={name} size="xl">
            {src ? <img src={src} alt={name} className="w-full rounded-control" /> : null}
          </Dialog>
        </Suspense>
      )}
    </div>
  )
}

/** Content of the tile: the picture, or its prompt, and the progress. */
function Face({ side, src, state, small, mark }: Pick<TileProps, 'side' | 'state' | 'mark'> & { readonly src: string | undefined; readonly small: boolean }) {
  const t = useTexts(openingTexts)
  const busy = isBusy(state)
  return (
    <>
      {src ? (
        <>
          <img src={src} alt="" className={`absolute inset-0 h-full w-full ${side === 'photo' ? 'object-contain' : 'object-cover'}`} />
          {mark ? (
            <span
              aria-hidden="true"
              className="absolute border-2 border-brand"
              style={{ left: `${mark.x * 100}%`, top: `${mark.y * 100}%`, width: `${mark.w * 100}%`, height: `${mark.h * 100}%` }}
            />
          ) : null}
        </>
      ) : busy ? null : (
        <>
          <Camera size={small ? 18 : 26} strokeWidth={1.75} className="text-fg-3" aria-hidden="true" />
          {small ? null : (
            <span className="px-3 text-center">
              <span className="block text-14 font-semibold">{t(UPLOAD_TEXT[side])}</span>
              {side === 'photo' ? <span className="block text-12 text-fg-2">{t('photo_hint')}</span> : null}
              <span className="block text-12 text-fg-3">{t('upload_hint')}</span>
            </span>
          )}
        </>
      )}
      {busy ? (
        <span className="absolute inset-0 flex items-center justify-center gap-2 bg-surface/90 px-2 text-center text-13 font-medium">
          <span className="spinner shrink-0" aria-hidden="true" />
          {t(state.at === 'reading' ? 'reading' : 'uploading')}
        </span>
      ) : null}
    </>
  )
}

const isBusy = (state: SideState) => state.at === 'uploading' || state.at === 'reading'

function Trouble({ state, wanted }: { readonly state: SideState; readonly wanted: string }) {
  const t = useTexts(openingTexts)
  if (state.at === 'wrong') {
    const is = state.is === 'idFront' || state.is === 'idBack' || state.is === 'passport' ? state.is : 'photo'
    return <span>{t(WRONG_TEXT[is], { wanted })}</span>
  }
  if (state.at !== 'failed') return null
  return <span>{state.text in FAILED_TEXT ? t(resolveTextKey(FAILED_TEXT, state.text)) : state.text}</span>
}
