import { useState } from 'react'

/** Popups are drawn inside the landmark or dialog of their trigger, so that screen readers know where they are. */
export function useLandmark(): readonly [HTMLElement | undefined, (trigger: HTMLElement | null) => void] {
  const [home, setHome] = useState<HTMLElement>()
  return [home, (trigger) => setHome(trigger?.closest<HTMLElement>('[role="dialog"], main, header, nav') ?? undefined)]
}
