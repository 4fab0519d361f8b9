import { useTexts } from '#platform/web/i18n.ts'
import { AnnouncementBar } from '#ui/announcement-bar.tsx'
import { announcementTexts } from './texts.ts'

interface AnnouncementPreviewsProps {
  readonly kind: 'news' | 'warning'
  readonly titleZh: string
  readonly titleEn: string
  readonly textZh: string
  readonly textEn: string
  readonly href: string
}

/** The bar in both languages, as customers get it. */
export function AnnouncementPreviews({ kind, titleZh, titleEn, textZh, textEn, href }: AnnouncementPreviewsProps) {
  const t = useTexts(announcementTexts)
  return (
    <section aria-label={t('previewTitle')}>
      <h3 className="mb-1.5 text-13 font-semibold">{t('previewTitle')}</h3>
      <div className="grid grid-cols-1 gap-2" inert>
        {(
          [
            ['zh-CN', t('inZh'), titleZh || '…', textZh, announcementTexts.zh],
            ['en', t('inEn'), titleEn || '…', textEn, announcementTexts.en],
          ] as const
        ).map(([lang, name, title, text, words]) => (
          <figure key={lang} lang={lang} className="rounded-control border border-line bg-surface px-3">
            <figcaption className="sr-only">{name}</figcaption>
            <AnnouncementBar
              kind={kind}
              title={title}
              text={text}
              more={href ? <span className="link">{words.more}</span> : undefined}
              closeWord={words.close}
            />
          </figure>
        ))}
      </div>
    </section>
  )
}
