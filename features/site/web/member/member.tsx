import { LandingEnding } from '../landing/ending.tsx'
import { Faq } from '../landing/faq.tsx'
import { Features } from '../landing/features.tsx'
import { LandingPrices } from '../landing/prices.tsx'
import { Section } from '../landing/section.tsx'
import { useTexts, useLang } from '#platform/web/i18n.ts'
import { siteTexts } from '../../texts.ts'
import { Ledger } from '../service/ledger.tsx'
import { services } from '../services.ts'
import { useSiteInfo, usePriceList } from '../use-prices.ts'
import type { Logo, Review } from '../../contract.ts'
import { firstTexts } from '../../first-texts.ts'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { FinePrint } from '../landing/fine-print.tsx'
import { StartButton } from '../landing/start-button.tsx'
import { Tape } from '../landing/tape.tsx'
import { useTyped } from './use-typed.ts'
import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

interface MarqueeProps {
  readonly label: string
  readonly seconds: number
  readonly className?: string
  /** Rendered twice, so that the loop is seamless; the copy is hidden from screen readers. */
  readonly children: ReactNode
}

/** A moving row that pauses with its button, on hover, on focus inside it, and with reduced motion. */
function Marquee({ label, seconds, className = '', children }: MarqueeProps) {
  const t = useTexts(siteTexts)
  const [still, setStill] = useState(false)
  const Icon = still ? Play : Pause
  return (
    <div className={`marquee ${still ? 'marquee-still' : ''} ${className}`} tabIndex={0} role="group" aria-label={label}>
      <div className="marquee-track" style={{ animationDuration: `${seconds}s` }}>
        <ul aria-label={label} className="marquee-row">
          {children}
        </ul>
        <ul aria-hidden="true" className="marquee-row marquee-copy" inert>
          {children}
        </ul>
      </div>
      <button
        type="button"
        onClick={() => setStill(!still)}
        className="marquee-stop icon-btn absolute right-2 bottom-2 border border-line bg-surface"
        aria-label={t(still ? 'marquee_go' : 'marquee_stop')}
        title={t(still ? 'marquee_go' : 'marquee_stop')}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  )
}

/** Seconds per loop (product.md 1.9). */
const ROUND_S = 170
/** Reviews shown on phones, in a snap list of five (product.md 1.1). */
const ON_PHONES: readonly number[] = [0, 2, 3, 5, 7]

/** Reviews entered by operators; samples are marked. */
function Reviews({ reviews }: { readonly reviews: readonly Review[] }) {
  const t = useTexts(siteTexts)
  const f = useTexts(firstTexts)
  const lang = useLang()
  return (
    <section aria-labelledby="reviews-title" className="pt-[88px] mobile:pt-14">
      <div className="wrap-1200 mb-8 mobile:mb-6">
        <h2 id="reviews-title" className="text-40 mobile:text-28">
          {t('reviews_title')}
        </h2>
      </div>
      <Marquee label={t('reviews_title')} seconds={ROUND_S} className="marquee-snap">
        {reviews.map((review, index) => (
          <li
            key={review.text[DEFAULT_LANG]}
            className={`card mr-5 flex w-[340px] shrink-0 flex-col p-6 mobile:mr-3 mobile:w-[82vw] ${ON_PHONES.includes(index) ? '' : 'mobile:hidden'}`}
          >
            <p className="flex-1 text-fg-2">{review.text[lang]}</p>
            <p className="mt-4 flex flex-wrap items-center gap-x-2 border-t border-dashed border-line pt-3 text-14">
              <span className="font-semibold">{review.name}</span>
              {review.role ? <span className="text-fg-3">{review.role[lang]}</span> : null}
              {review.sample ? <span className="tag ml-auto">{f('tape_sample')}</span> : null}
            </p>
          </li>
        ))}
      </Marquee>
    </section>
  )
}

const words = ['typed_1', 'typed_2', 'typed_3', 'typed_4', 'typed_5'] as const

/** Types and deletes the names of the subscriptions in turn; screen readers get the list once. */
function MemberHero() {
  const t = useTexts(siteTexts)
  const rows = usePriceList().data?.rowList ?? []
  const info = useSiteInfo().data
  const list = words.map((key) => t(key))
  const typed = useTyped(list)
  return (
    <section data-banner className="on-ink bg-ink text-ink-fg">
      <div className="wrap-1200 grid items-center gap-14 py-24 desktop:grid-cols-[minmax(0,1.1fr)_minmax(0,.9fr)] desktop:pt-[92px] desktop:pb-[84px] mobile:gap-11 mobile:pt-10 mobile:pb-12">
        <div className="min-w-0">
          <h1 className="display text-[clamp(40px,5.2vw,72px)] leading-[1.12] mobile:text-[clamp(34px,10.4vw,44px)]">
            <span className="block">{t('member_title')}</span>
            <span className="sr-only">{list.join(t('member_comma'))}</span>
            <span className="block min-h-[1.12em] whitespace-nowrap text-ink-accent" aria-hidden="true">
              {typed}
              <span className="caret" />
            </span>
          </h1>
          <p className="mt-5 max-w-[30em] text-balance text-18 text-ink-fg-2 mobile:text-16">{t('member_lead')}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <StartButton variant="ink" to="/service" />
          </div>
          <FinePrint info={info} />
        </div>
        <Tape rows={rows} />
      </div>
    </section>
  )
}

const BODY_TEXT = { easy_register: 'easy_register_body', easy_use: 'easy_use_body', easy_pay: 'easy_pay_body' } as const
const LINE_1_TEXT = { easy_register: 'easy_register_1', easy_use: 'easy_use_1', easy_pay: 'easy_pay_1' } as const
const LINE_1_VALUE_TEXT = { easy_register: 'easy_register_1_value', easy_use: 'easy_use_1_value', easy_pay: 'easy_pay_1_value' } as const
const LINE_2_TEXT = { easy_register: 'easy_register_2', easy_use: 'easy_use_2', easy_pay: 'easy_pay_2' } as const
const LINE_2_VALUE_TEXT = { easy_register: 'easy_register_2_value', easy_use: 'easy_use_2_value', easy_pay: 'easy_pay_2_value' } as const

const cards = ['easy_register', 'easy_use', 'easy_pay'] as const

/** Three tickets: easy registration, easy use, painless payment. Each lists what it takes, line by line. */
function MemberCards() {
  const t = useTexts(siteTexts)
  return (
    <div className="wrap-1200 grid gap-6 pt-[88px] desktop:grid-cols-3 mobile:gap-5 mobile:pt-14">
      {cards.map((key) => (
        <Receipt key={key} look="inline" label={t(key)} className="h-full [&>.receipt]:h-full">
          <h2 className="text-20">{t(key)}</h2>
          <p className="mt-1.5 text-14 text-fg-2">{t(BODY_TEXT[key])}</p>
          <ReceiptRule className="my-4" />
          <ReceiptRow label={t(LINE_1_TEXT[key])} value={t(LINE_1_VALUE_TEXT[key])} />
          <ReceiptRow label={t(LINE_2_TEXT[key])} value={t(LINE_2_VALUE_TEXT[key])} />
        </Receipt>
      ))}
    </div>
  )
}

/** Companies chosen by operators, as logos or set names. */
function Logos({ logos }: { readonly logos: readonly Logo[] }) {
  const t = useTexts(siteTexts)
  const f = useTexts(firstTexts)
  return (
    <section aria-label={t('logos_title')} className="border-b border-line bg-sunken">
      <Marquee label={t('logos_title')} seconds={60}>
        {logos.map((logo) => (
          <li key={logo.name} className="flex h-20 shrink-0 items-center px-9 text-20 font-semibold whitespace-nowrap text-fg-3">
            {logo.image ? <img src={logo.image} alt={logo.name} height={28} className="h-7 w-auto" loading="lazy" /> : logo.name}
            {logo.sample ? <span className="tag ml-2">{f('tape_sample')}</span> : null}
          </li>
        ))}
      </Marquee>
    </section>
  )
}

/** Landing page of all products: services first, including the API. */
export function MemberLanding() {
  const t = useTexts(siteTexts)
  const info = useSiteInfo().data
  return (
    <>
      <MemberHero />
      {info?.logos.length ? <Logos logos={info.logos} /> : null}
      <MemberCards />
      <Section id="services" title={t('member_services')} lead={t('member_services_lead')}>
        <Ledger list={services} />
      </Section>
      <LandingPrices />
      <Features />
      {info?.reviews.length ? <Reviews reviews={info.reviews} /> : null}
      <Faq />
      <LandingEnding to="/service" />
    </>
  )
}
