import { useLang, useTexts } from '#platform/web/i18n.ts'
import type { Review } from '../../contract.ts'
import { firstTexts } from '../../first-texts.ts'
import { siteTexts } from '../../texts.ts'
import { Marquee } from './marquee.tsx'

/** Once round (product.md 1.9). */
const ROUND_S = 170
/** On phones a snap list of five (product.md 1.1). */
const ON_PHONES: readonly number[] = [0, 2, 3, 5, 7]

/** Reviews entered by operators; samples are marked. */
export function Reviews({ reviews }: { readonly reviews: readonly Review[] }) {
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
            key={review.text.en}
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
