import { Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { lazyExtra } from '#platform/web/lazy-extra.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button } from '#ui/button.tsx'
import { siteServiceTexts } from '../../service-texts.ts'
import { services } from '../services.ts'
import type { SoldService } from '../services.ts'
import { HubRow } from './hub-row.tsx'
import type { OwnedService } from './hub-row.tsx'
import { useCardPrice, useServiceCatalogue } from './use-catalogue.ts'
import { SITE_SVC_TEXT, SITE_SVC_BODY_TEXT } from '../../service-state-texts.ts'
import { LANGS } from '#platform/shared/languages.ts'

const ZONE_TEXT = { openai: 'zone_openai', card: 'zone_card', independent: 'zone_independent', tool: 'zone_tool' } as const

const Running = lazyExtra(() => import('./running.tsx').then((module) => module.RunningTasks))
const ZONES = ['card', 'independent', 'openai', 'tool'] as const

/** /service: overview of all services. A member's running tasks come first; future services are labelled and have no button. */
export function ServicePage() {
  const t = useTexts(siteServiceTexts)
  useTitle(t('title'))
  const signedIn = useSignedIn()
  const catalogue = useServiceCatalogue()
  const cardPrice = useCardPrice()
  const [mine, setMine] = useState<Readonly<Record<string, OwnedService>>>({})
  const [word, setWord] = useState('')
  const found = useFoundServices(useDeferredValue(word))
  return (
    <div className="wrap-1200 py-14 mobile:py-8">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 className="text-40 mobile:text-28">{t('title')}</h1>
          <p className="mt-2 max-w-[36em] text-fg-2">{t('lead')}</p>
        </div>
        <Find word={word} onWord={setWord} />
      </div>
      {signedIn ? (
        <Suspense>
          <Running onMine={setMine} />
        </Suspense>
      ) : null}
      {catalogue.error && !catalogue.data ? (
        <p role="alert" className="mt-6 flex items-center gap-3 text-14 text-fg-2">
          {t('read_failed')}
          <Button variant="secondary" size="sm" onClick={catalogue.retry}>
            {t('read_again')}
          </Button>
        </p>
      ) : null}
      {found.length === 0 ? (
        <p className="mt-10 flex items-center gap-3 text-fg-2" role="status">
          {t('find_none', { word })}
          <Button variant="secondary" size="sm" onClick={() => setWord('')}>
            {t('find_clear')}
          </Button>
        </p>
      ) : null}
      {ZONES.map((zone) => {
        const list = found.filter((service) => service.zone === zone)
        if (!list.length) return null
        return (
          <section key={zone} aria-labelledby={`zone-${zone}`} className="mt-8">
            <h2 id={`zone-${zone}`} className="text-13 font-normal text-fg-2">
              {t(ZONE_TEXT[zone])}
            </h2>
            <ul className="mt-2 border-t-2 border-fg">
              {list.map((service) => (
                <HubRow
                  key={service.id}
                  service={service}
                  rows={catalogue.data?.rowList}
                  cardPrice={cardPrice}
                  mine={service.kit === undefined ? undefined : mine[service.kit]}
                />
              ))}
            </ul>
          </section>
        )
      })}
      <p className="mt-6 text-13 text-fg-3">{t('measured_note', { days: catalogue.data?.rowList[0]?.measured.days ?? 7 })}</p>
    </div>
  )
}

/** Finds services by the text of their row, in any language. */
function useFoundServices(word: string): readonly SoldService[] {
  const wanted = word.trim().toLowerCase()
  if (wanted === '') return services
  return services.filter(({ id }) =>
    LANGS.some((each) => `${siteServiceTexts[each][SITE_SVC_TEXT[id]]} ${siteServiceTexts[each][SITE_SVC_BODY_TEXT[id]]}`.toLowerCase().includes(wanted)),
  )
}

/** Search field; `/` focuses it from anywhere on the page. */
function Find({ word, onWord }: { readonly word: string; readonly onWord: (word: string) => void }) {
  const t = useTexts(siteServiceTexts)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        (event.target as Element).closest?.('input, textarea, select, [contenteditable]')
      )
        return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <div className="relative w-[260px] mobile:w-full">
      <input
        ref={input}
        type="search"
        className="input w-full pr-10"
        aria-label={t('find')}
        placeholder={t('find')}
        aria-keyshortcuts="/"
        value={word}
        onChange={(event) => onWord(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onWord('')
        }}
      />
      {word === '' ? (
        <kbd
          className="num pointer-events-none absolute inset-y-0 right-3 my-auto h-6 rounded border border-line px-1.5 text-12 leading-6 text-fg-3 mobile:hidden"
          aria-hidden="true"
        >
          /
        </kbd>
      ) : null}
    </div>
  )
}
