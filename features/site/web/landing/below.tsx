import { Calculator } from './calculator.tsx'
import { Ending } from './ending.tsx'
import { Faq } from './faq.tsx'
import { Features } from './features.tsx'
import { Payment } from './payment.tsx'
import { Prices } from './prices.tsx'
import { Steps } from './steps.tsx'

/** Everything below the first screen. */
export function Below() {
  return (
    <>
      <Features />
      <Prices />
      <Calculator />
      <Steps />
      <Payment />
      <Faq />
      <Ending />
    </>
  )
}
