import { Apple, Download, Monitor } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { getButtonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import type { PackageInfo } from '../contract.ts'
import { browserTexts } from '../texts.ts'

type File = NonNullable<PackageInfo['files']['windows']>

const formatSize = (bytes: number) => `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`

/** One tile a system. A file without an address is said to be missing, never a dead button. */
export function Downloads({ files }: { readonly files: PackageInfo['files'] }) {
  const t = useTexts(browserTexts)
  return (
    <div className="grid grid-cols-2 gap-4 mobile:grid-cols-1">
      <Tile name="Windows" needs={t('browserWindows')} file={files.windows} Icon={Monitor} />
      <Tile name="macOS" needs={t('browserMac')} file={files.macos} Icon={Apple} />
    </div>
  )
}

function Tile({ name, needs, file, Icon }: { readonly name: string; readonly needs: string; readonly file: File | null; readonly Icon: typeof Monitor }) {
  const t = useTexts(browserTexts)
  return (
    <section aria-label={name} className="card flex min-w-0 flex-col p-5">
      <div className="flex items-center gap-3">
        <Icon size={22} strokeWidth={1.75} aria-hidden="true" className={file ? 'text-fg' : 'text-fg-3'} />
        <div className="min-w-0">
          <h2 className="text-16 font-bold">{name}</h2>
          <p className="text-13 text-fg-2">{needs}</p>
        </div>
      </div>
      {file ? (
        <>
          <p className="num mt-4 text-13 text-fg-2">{t('browserVersion', { version: file.version, size: formatSize(file.bytes) })}</p>
          <a className={getButtonClass('secondary', 'md', 'mt-2')} href={file.url} rel="noreferrer">
            <Download size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('browserDownload')}
          </a>
          <div className="mt-4 border-t border-dashed border-line pt-3">
            <div className="flex items-center justify-between gap-2">
              <span className="text-12 text-fg-3">{t('browserHash')}</span>
              <CopyButton text={file.sha256} iconOnly label={t('browserCopyHash')} />
            </div>
            <p className="font-mono text-12 [overflow-wrap:anywhere]">{file.sha256}</p>
            <p className="mt-1 text-12 text-fg-3">{t('browserHashWhy')}</p>
          </div>
        </>
      ) : (
        <p className="mt-4 text-14 text-fg-3">{t('browserNoFile')}</p>
      )}
    </section>
  )
}
