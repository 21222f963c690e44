// Documents of the engine (the crate `lab`), as far as the page reads them.

export interface NamedText {
  name: string;
  text: string;
}

/** A run, in the words of the command line; see lab/src/request.rs. */
export interface Request {
  kernel?: string;
  size?: number;
  ptx?: NamedText;
  launch?: NamedText;
  chip?: string;
  /** A chip file in place of a built-in chip. */
  chip_file?: NamedText;
  sets: [string, string][];
  registers?: number;
  barriers?: "strict" | "hardware";
  cache?: "prefer-none" | "prefer-shared" | "prefer-l1";
  max_cycles?: number;
  opt_level?: number;
  fmad?: boolean;
  functional?: boolean;
  checks?: ("memory" | "race" | "init" | "sync" | "all")[];
}

export interface KernelEntry {
  name: string;
  family: string | null;
  about: string;
  book: string;
  size_meaning: string;
  default_size: number;
  small_sizes: number[];
  block: [number, number, number];
  file: string;
  launch: string | null;
}

export interface ChipEntry {
  name: string;
  board: string;
  capability: string;
  sms: number;
}
export interface StateEntry {
  key: string;
  label: string;
  about: string;
}
export interface Catalog {
  program: string;
  kernels: KernelEntry[];
  chips: ChipEntry[];
  states: StateEntry[];
}

export interface Setting {
  path: string;
  about: string;
  unit: string;
  effect: "" | "timing" | "meaning";
  kind: "integer" | "number" | "flag" | "word" | "text";
  min: number | null;
  max: number | null;
  words: string[];
  value: string;
}

export interface Marked {
  severity: "error" | "warning" | "note";
  code: string;
  message: string;
  from: number;
  to: number;
  line: number;
  label: string;
  more: string[];
}
export interface KernelInfo {
  name: string;
  params: string[];
  registers: number;
  shared_bytes: number;
  local_bytes: number;
  instructions: number;
}
export interface Checked {
  diagnostics: Marked[];
  drawn: string;
  kernels: KernelInfo[];
  launch: string;
}

export interface CheckedChip {
  diagnostics: Marked[];
  drawn: string;
  name: string;
}

/** A claim of the course texts, with its result if it was run. */
export interface Claim {
  id: string;
  section: string;
  source: string;
  places: string[];
  claim: string;
  must_show: string;
  recorded: string | null;
  verdict: string;
  findings: Finding[];
}
export interface Finding {
  what: string;
  expected: string;
  simulated: string;
  error_percent: number | null;
  verdict: string;
}
export interface ClaimDocument {
  claims: Claim[];
}
export interface ClaimRan {
  text: string;
  json: string;
}

export interface Ran {
  code: number;
  text: string;
  details: string;
  json: string;
  messages: string[];
}
export interface Compared {
  text: string;
  json: string;
  error: string;
}
export interface Progress {
  kernel: string;
  launch: number;
  retired: number;
  blocks: number;
  cycle: number;
  instructions: number;
}

/** Counts by name. */
export type Named = [string, number][];

export interface LineReport {
  line: number;
  source: string;
  executed: number;
  slots: number;
  replays: number;
  warp_cycles: number;
  states: Named;
  share: number;
  top_wait: [string, number] | null;
  transactions: number;
}
export interface DivergentLine {
  line: number;
  source: string;
  executed: number;
  divergent: number;
}
export interface Timing {
  cycles: number;
  microseconds: number;
  gflops: number;
  achieved_occupancy: number;
  warps: { resident: number; states: Named };
  lines: LineReport[];
  global: { cgma: number | null; load: { bytes_moved: number }; store: { bytes_moved: number } };
  dram: {
    read_bytes: number;
    write_bytes: number;
    gbps: number;
    utilisation: number;
    row_hits: number;
    row_misses: number;
    row_conflicts: number;
    partition_bytes: number[];
  };
  limits: { limited_by: string; unit?: string; evidence: string };
  sms: { sm: number; blocks: number; instructions: number; active_issue_cycles: number }[];
}
export interface Report {
  mode: string;
  chip: { name: string; board: string; sms: number; peak_gflops: number; peak_gbps: number };
  launch: {
    kernel: string;
    grid: { x: number; y: number; z: number };
    block: { x: number; y: number; z: number };
    shared_bytes: number;
    occupancy: {
      blocks: number;
      warps: number;
      occupancy: number;
      limiters: string[];
      limits: Record<string, number>;
    };
  };
  verdict: { kind: string };
  instructions: { warp: number; thread: number; flops: number };
  control: {
    divergent_branches: number;
    warp_execution_efficiency: number;
    divergent_lines: DivergentLine[];
  };
  timing: Timing | null;
}
export interface Document {
  check: { passed: boolean | null; lines: string[] };
  provenance: {
    kernel: string;
    size?: number;
    chip: string;
    overrides: { path: string; value: string }[];
  };
  runs: Report[];
}

export interface Segment {
  lanes: number;
  address: number;
  span: number;
  bytes: number;
}
export interface Banks {
  banks: number;
  group: number;
  lanes: number;
  of_lane: number[];
  passes: number;
  fewest: number;
}
export interface Access {
  /** Warp slot of SM 0, in a list of accesses. */
  warp?: number;
  line: number;
  text: string;
  cycle: number;
  kind: string;
  space: string;
  bytes: number;
  lanes: number;
  addresses: number[];
  transactions: Segment[];
  fewest: number;
  banks: Banks | null;
}

/** Warp instructions of each source line by their number of active lanes: number and times. */
export interface Lanes {
  kernel: string;
  sm: number;
  cycles: number;
  lines: { line: number; source: string; counts: [number, number][] }[];
}

/** A recorded timeline: changes by warp slot, as cycle, state or -1, source line. */
export interface Timeline {
  kernel: string;
  sm: number;
  period: number;
  end: number;
  cut: boolean;
  labels: string[];
  keys: string[];
  rows: [number, number, number][][];
}

export interface StepProgram {
  kernel: string;
  file: string;
  text: string;
  launch: number;
  grid: [number, number, number];
  block: [number, number, number];
  chip: string;
  period: number;
  sms: number;
  warp_slots: number;
  banks: number;
  lines: number[];
  line_of: number[];
}
export interface WarpRow {
  slot: number;
  block: string;
  index: number;
  line: number;
  active: number;
  live: number;
  state: string;
  why: string;
}
export interface StackRow {
  mask: number;
  line: number;
  pc: number;
  until: number | null;
}
export interface RegisterRow {
  name: string | null;
  row: string;
  kind: "word" | "double" | "predicate";
  values: string[];
  line: number;
  changed: boolean;
  busy: string;
  needed: boolean;
}
export interface StepWarp {
  text: string;
  line: number;
  stack: StackRow[];
  registers: RegisterRow[];
  barriers: { id: number; count: number; required: number; missing: [number, number][] }[];
  access: Access | null;
  shared: string[];
}
export interface StepView {
  cycle: number;
  ended: boolean;
  retired: number;
  blocks: { sm: number; index: string; slots: number[] }[];
  warps: WarpRow[];
  warp: StepWarp | null;
  timeline: { from: number; period: number; rows: [number, [number, boolean, number][]][] };
  queue: {
    capacity: number;
    entries: [number, number, number][];
    loads: [number, number, number][];
  };
}
export interface Moved {
  halt: string;
  message: string;
  at: [number, number] | null;
}
export interface Stepped {
  moved: Moved | null;
  view: StepView;
}

/** A value of a curve of the occupancy calculator, or a range with the same result. */
export interface OccupancyRow {
  from: number;
  to: number;
  blocks: number;
  warps: number;
  occupancy: number;
  limiters: string[];
  refusal: string | null;
}
/** Occupancy by block size, registers and shared memory. */
export interface Curves {
  here: { blocks: number; warps: number; occupancy: number } | null;
  block: number | null;
  registers: number;
  shared: number;
  warp_slots: number;
  by_block: OccupancyRow[];
  by_registers: OccupancyRow[];
  by_shared: OccupancyRow[];
}

/** A time of both sides of a comparison. */
export interface Times {
  a_us: number;
  b_us: number;
  difference_us: number;
}
export interface OutcomeTimes extends Times {
  label: string;
}
export interface LineTimes extends Times {
  of: "both" | "a" | "b";
  line: number;
  source: string;
}

/** A value of a claim. */
export interface Finding {
  what: string;
  expected: string;
  simulated: string;
  error_percent: number | null;
  verdict: string;
}

/** A published measurement. */
export interface Measurement {
  id: string;
  chip: string;
  kernel: string;
  unit: string;
  published: number;
  simulated: number | null;
  /** In the common unit of the quantity. */
  x: number;
  y: number | null;
  error_percent: number | null;
  target_percent: number;
  state: string;
}

/** A plot of a sweep. */
export interface SweepPlot {
  title: string;
  x: string;
  y: string;
  /** Names of the places on the x axis, if they are not numbers. */
  names: string[];
  series: { name: string; points: [number, number][] }[];
}
