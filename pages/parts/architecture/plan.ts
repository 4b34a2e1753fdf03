/** An architecture picture as data: stages in the order in which rows pass them, and what runs between them. */
export interface Plan {
  /** What the picture shows, for people who cannot see it. */
  title: string;
  stages: Stage[];
  /** One entry for each gap between two stages. */
  flows: Flow[];
}

export interface Stage {
  label: string;
  /** Share of the width in the wide picture. */
  weight: number;
  /** A frame around the boxes: they are parts of one thing, and arrows end at the frame. */
  frame?: boolean;
  boxes: Box[];
}

export interface Box {
  name: string;
  note?: string;
  kind: 'store' | 'step';
  /** Runs all the time: marked in the signal colour. */
  live?: boolean;
}

export interface Flow {
  /** Caption number of each lane, from the first; a lane may have none. */
  marks: (number | undefined)[];
  /** Caption number of a second arrow in the opposite direction. */
  back?: number;
}
