import { lazy, Suspense } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { firstTexts } from '../first-texts.ts'
import { Hero } from './landing/hero.tsx'
import { useSiteInfo } from './use-prices.ts'

const Member = lazy(() => import('./member/member.tsx').then((m) => ({ default: m.MemberLanding })))
const Below = lazy(() => import('./landing/below.tsx').then((m) => ({ default: m.Below })))

/** One of two landing pages, by the operator's setting. The part below the first screen is prerendered with it and loads its code later. */
export function LandingPage() {
  const t = useTexts(firstTexts)
  useTitle(t('page_title'))
  if (useSiteInfo().data?.landing === 'member')
    return (
      <Suspense>
        <Member />
      </Suspense>
    )
  return (
    <>
      <Hero />
      <Suspense>
        <Below />
      </Suspense>
    </>
  )
}
