import { Calculator } from './calculator.tsx'
import { LandingEnding } from './ending.tsx'
import { Faq } from './faq.tsx'
import { Features } from './features.tsx'
import { Payment } from './payment.tsx'
import { LandingPrices } from './prices.tsx'
import { LandingSteps } from './steps.tsx'

/** Everything below the first screen. */
export function Below() {
  return (
    <>
      <Features />
      <LandingPrices />
      <Calculator />
      <LandingSteps />
      <Payment />
      <Faq />
      <LandingEnding />
    </>
  )
}
