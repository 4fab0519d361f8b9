import { Check, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { RemoteDownload } from '../../wire.ts'
import { remoteTexts } from '../../texts.ts'
import type { RemoteLinkView } from './use-link.ts'

/** Files above the picture: a request of the remote page and its downloads. Renders nothing if there are none. */
export function FilesCard({ link }: { readonly link: RemoteLinkView }) {
  const t = useTexts(remoteTexts)
  const { chooser, downloads } = link.state
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const shown = downloads.filter(({ id }) => !hidden.has(id))
  if (!chooser && !shown.length) return null
  return (
    <section
      aria-label={t('screenFiles')}
      className="absolute right-3 bottom-3 z-10 max-h-[60%] w-[380px] overflow-y-auto rounded-card border border-line bg-surface shadow-dialog mobile:inset-x-3 mobile:top-14 mobile:bottom-auto mobile:w-auto"
    >
      <p className="sr-only" role="status">
        {shown
          .filter(({ isWhole }) => isWhole)
          .map(({ name }) => t('screenThere', { name }))
          .at(-1)}
      </p>
      {chooser ? <FileRequest link={link} isMany={chooser.isMany} /> : null}
      <ul>
        {shown.map((file) => (
          <DownloadRow key={file.id} file={file} link={link} onHide={() => setHidden((before) => new Set([...before, file.id]))} />
        ))}
      </ul>
    </section>
  )
}

const computePercent = (part: number, whole: number): number => (whole > 0 ? Math.min(100, Math.floor((100 * part) / whole)) : 100)

/** Chooses files on this machine, uploads them in full, and passes them to the remote page. */
function FileRequest({ link, isMany }: { readonly link: RemoteLinkView; readonly isMany: boolean }) {
  const t = useTexts(remoteTexts)
  const input = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState<{ readonly name: string; readonly percent: number }>()
  const give = async (files: readonly File[]) => {
    const ids: string[] = []
    try {
      for (const file of files) {
        const told = (bytes: number) => setSending({ name: file.name, percent: computePercent(bytes, file.size) })
        told(0)
        ids.push((await link.transfers()?.send(file, told)) ?? '')
      }
      link.send({ do: 'choose', files: ids })
    } catch {
      toast.warning(t('screenSendFailed'))
    }
    setSending(undefined)
  }
  return (
    <div className="border-b border-line p-4 last:border-b-0">
      <p className="flex items-baseline justify-between gap-3 text-14 font-semibold">
        <span className="[overflow-wrap:anywhere]" role="status">
          {sending ? t('screenSending', sending) : t(isMany ? 'screenAskMany' : 'screenAsk')}
        </span>
        {sending ? <span className="num shrink-0 font-normal text-fg-2">{sending.percent}%</span> : null}
      </p>
      <input
        ref={input}
        type="file"
        multiple={isMany}
        hidden
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length) void give(files)
        }}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" loading={sending !== undefined} onClick={() => input.current?.click()}>
          {t('screenChoose')}
        </Button>
        <Button size="sm" variant="ghost" disabled={sending !== undefined} onClick={() => link.send({ do: 'choose', files: [] })}>
          {t('screenChooseNot')}
        </Button>
      </div>
    </div>
  )
}

function DownloadRow({ file, link, onHide }: { readonly file: RemoteDownload; readonly link: RemoteLinkView; readonly onHide: () => void }) {
  const t = useTexts(remoteTexts)
  const [percent, setPercent] = useState<number>()
  const [isSaved, setIsSaved] = useState(false)
  const save = async () => {
    setPercent(0)
    try {
      const blob = await link.transfers()?.fetch(file, (bytes) => setPercent(computePercent(bytes, file.size)))
      if (blob) saveAs(blob, file.name)
      setIsSaved(blob !== undefined)
    } catch {
      toast.warning(t('screenSaveFailed'))
    }
    setPercent(undefined)
  }
  const state = !file.isWhole
    ? t('screenComing', { percent: file.size > 0 ? computePercent(file.got, file.size) : 0 })
    : percent === undefined
      ? formatSize(file.size)
      : `${formatSize(file.size)} · ${percent}%`
  return (
    <li className="flex items-center gap-3 border-b border-line p-4 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="truncate text-14 font-medium" title={file.name}>
          {file.name}
        </p>
        <p className="num flex items-center gap-1.5 text-12 text-fg-3">
          {state}
          {isSaved ? (
            <span className="flex items-center gap-1 text-success" role="status">
              <Check size={14} strokeWidth={1.75} aria-hidden="true" />
              {t('screenSaved')}
            </span>
          ) : null}
        </p>
      </div>
      <Button size="sm" variant="secondary" disabled={!file.isWhole} loading={percent !== undefined} onClick={() => void save()}>
        {t('screenSave')}
      </Button>
      <button type="button" className="icon-btn !size-9 mobile:!size-11 shrink-0" aria-label={t('screenHide', { name: file.name })} onClick={onHide}>
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </li>
  )
}

const formatSize = (bytes: number): string => (bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`)

function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
