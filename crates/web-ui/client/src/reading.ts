/** What every page does beyond what it shows without script. */

import { startLive } from "./live";
import { startLiveChange } from "./live-change";
import { startCopying, startFilters, startFolds } from "./reference";
import { startSearch } from "./search";
import { startTheme } from "./theme";
import { startVerdicts } from "./verdicts";

const PARTS = [startTheme, startSearch, startFilters, startCopying, startFolds, startLiveChange, startLive, startVerdicts];

// One that fails does not keep the others from starting.
for (const start of PARTS) {
  try {
    start();
  } catch (error) {
    console.error(error);
  }
}
