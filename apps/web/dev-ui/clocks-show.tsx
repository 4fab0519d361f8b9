import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Countdown } from '#ui/time/countdown.tsx'
import { Meter } from '#ui/figures/meter.tsx'
import { Pips } from '#ui/figures/pips.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import { devTexts } from './texts.ts'

/** Limits, counts, clocks and courses, each in all its states. */
export function ClocksShow() {
  const t = useTexts(devTexts)
  const [start, setStart] = useState(() => Date.now())
  const say = (seconds: number) => t('hidden', { seconds })
  return (
    <div className="grid gap-6">
      <div className="grid gap-5 desktop:grid-cols-4">
        {([0, 412.35, 2600, 3000] as const).map((used) => (
          <Meter key={used} label={t('month')} used={`$${used.toFixed(2)}`} of="$3,000.00" share={used / 3000} note={t('runway')} />
        ))}
      </div>
      <div className="grid gap-5 desktop:grid-cols-4">
        {([0, 2, 5, 10] as const).map((count) => (
          <Pips key={count} label={t('declined')} count={count} of={10} dangerFrom={5} note={t('expire')} />
        ))}
      </div>
      <div className="grid items-center gap-5 desktop:grid-cols-4">
        {([60, 20, 4] as const).map((seconds) => (
          <Countdown key={`${seconds} ${start}`} label={t('code')} until={start + seconds * 1000} of={60} say={say} />
        ))}
        <Button variant="secondary" onClick={() => setStart(Date.now())}>
          {t('refresh')}
        </Button>
      </div>
      <div className="max-w-md">
        <Timeline
          label={t('s_clocks')}
          steps={[
            { key: 'a', state: 'done', text: t('ok'), time: '11-22 14:52', note: t('toastText') },
            { key: 'b', state: 'failed', text: t('fail'), time: '14:53' },
            { key: 'c', state: 'now', text: t('wait'), note: t('runway') },
            { key: 'd', state: 'todo', text: t('info') },
          ]}
        />
      </div>
    </div>
  )
}
