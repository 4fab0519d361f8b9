import { lazy, Suspense, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { pageTexts } from '../texts-pages.ts'

const UnionGuide = lazy(() => import('./union-guide.tsx').then((m) => ({ default: m.UnionGuide })))

/** Link to the illustrated UnionPay guide, shown while UnionPay is chosen or open. */
export function UnionGuideLink() {
  const t = useTexts(pageTexts)
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)
  const show = () => {
    setAsked(true)
    setOpen(true)
  }
  return (
    <>
      <Button type="button" variant="ghost" size="sm" className="mt-2 -ml-2" onClick={show}>
        {t('union_how')}
      </Button>
      {asked ? (
        <Suspense fallback={null}>
          <UnionGuide open={open} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
