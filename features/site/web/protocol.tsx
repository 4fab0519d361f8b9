import { ArrowDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { closeDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { LangContext, useLang, useTexts, getLangAttributes } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { useTitle } from '#platform/web/title.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import type { Article } from '../help/blocks.ts'
import { legalTexts } from '../legal-texts.ts'
import { Blocks } from './prose/blocks.tsx'
import { fillFacts, useQuotingFacts } from './prose/facts.ts'
import { OpensBeside } from './prose/inlines.tsx'
import { Toc } from './prose/toc.tsx'
import { LANGUAGES, LANGS } from '#platform/shared/languages.ts'

/** True once the mark has been in view while `open`; immediately for a text that needs no scrolling. Reset on close. */
function useReadToEnd(mark: RefObject<Element | null>, open: boolean): boolean {
  const [read, setRead] = useState(false)
  useEffect(() => {
    if (!open) {
      setRead(false)
      return
    }
    let watcher: IntersectionObserver | undefined
    // the dialog renders its content one frame after it opens
    const frame = requestAnimationFrame(() => {
      if (!mark.current) return
      watcher = new IntersectionObserver((seen) => {
        if (seen.some((one) => one.isIntersecting)) setRead(true)
      })
      watcher.observe(mark.current)
    })
    return () => {
      cancelAnimationFrame(frame)
      watcher?.disconnect()
    }
  }, [mark, open])
  return read
}

const documents = import.meta.glob<Article>('../legal/*/protocol.md', { import: 'default', eager: true })
const getProtocol = (lang: Lang): Article => documents[`../legal/${lang}/protocol.md`]!

/** The agreement's language is switchable separately: a reader may want to see the other one without changing the site. */
function useOwnLang(): readonly [Lang, (lang: Lang) => void] {
  const lang = useLang()
  const [own, setOwn] = useState(lang)
  useEffect(() => setOwn(lang), [lang])
  return [own, setOwn]
}

function LangChoice({ lang, onChange }: { readonly lang: Lang; readonly onChange: (lang: Lang) => void }) {
  const t = useTexts(legalTexts)
  return (
    <Segmented
      label={t('protocol_lang')}
      value={lang}
      onChange={onChange}
      items={LANGS.map((value) => ({ value, label: <span {...getLangAttributes(value)}>{LANGUAGES[value].name}</span> }))}
    />
  )
}

function Text({ lang, idPrefix }: { readonly lang: Lang; readonly idPrefix: string }) {
  const t = useTexts(legalTexts)
  const facts = useQuotingFacts()
  const { summary, updated, blocks } = getProtocol(lang)
  return (
    <div {...getLangAttributes(lang)}>
      <p className="text-fg-2">{fillFacts(summary, facts)}</p>
      <p className="tabular mt-2 text-13 text-fg-3">{t('legal_updated', { day: site.protocolUpdated ?? updated })}</p>
      <div className="prose mt-5">
        <Blocks
          blocks={idPrefix ? blocks.map((block) => (block.kind === 'heading' ? { ...block, id: `${idPrefix}${block.id}` } : block)) : blocks}
          facts={facts}
        />
      </div>
    </div>
  )
}

/**
 * `openDialog('protocol')`: shows the agreement. With `onConfirm` there is a footer, whose button is enabled once the end has been in view.
 */
export function ProtocolDialog() {
  const t = useTexts(legalTexts)
  const props = useDialog('protocol')
  const [lang, setLang] = useOwnLang()
  const end = useRef<HTMLDivElement>(null)
  const read = useReadToEnd(end, props !== undefined)
  const confirming = props?.onConfirm
  const close = () => closeDialog('protocol')
  return (
    <Dialog
      above
      open={props !== undefined}
      onClose={close}
      size="lg"
      title={getProtocol(lang).title}
      footer={
        confirming ? (
          <>
            <Button variant="secondary" onClick={close}>
              {t('protocol_cancel')}
            </Button>
            {read ? (
              <Button
                onClick={() => {
                  close()
                  confirming()
                }}
              >
                {t('protocol_confirm')}
              </Button>
            ) : (
              <Button variant="secondary" onClick={() => end.current?.scrollIntoView({ block: 'end', behavior: 'smooth' })} title={t('protocol_toEnd')}>
                <ArrowDown size={16} strokeWidth={1.75} aria-hidden="true" />
                {t('protocol_down')}
              </Button>
            )}
          </>
        ) : undefined
      }
    >
      <div className="mb-4">
        <LangChoice lang={lang} onChange={setLang} />
      </div>
      <LangContext value={lang}>
        <OpensBeside value>
          <Text lang={lang} idPrefix="protocol-" />
        </OpensBeside>
      </LangContext>
      <div ref={end} className="h-px" />
    </Dialog>
  )
}

/** The same text as a separate page. */
export function ProtocolPage() {
  const [lang, setLang] = useOwnLang()
  const facts = useQuotingFacts()
  const { title, blocks } = getProtocol(lang)
  const shown = useLang()
  useTitle(getProtocol(shown).title)
  return (
    <div className="wrap-1200 grid gap-x-16 print:block py-16 desktop:grid-cols-[220px_minmax(0,680px)] mobile:py-8">
      <aside className="self-start desktop:sticky desktop:top-24 mobile:hidden no-print">
        <Toc blocks={blocks} facts={facts} />
      </aside>
      <article className="min-w-0">
        <h1 className="text-40 mobile:text-28">{title}</h1>
        <div className="mt-4 mb-5 no-print">
          <LangChoice lang={lang} onChange={setLang} />
        </div>
        <LangContext value={lang}>
          <Text lang={lang} idPrefix="" />
        </LangContext>
      </article>
    </div>
  )
}
