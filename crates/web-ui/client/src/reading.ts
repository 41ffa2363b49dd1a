/** What every page does beyond what it shows without script. */

import { startLive } from "./live";
import { startCopying, startFilters, startFolds } from "./reference";
import { startRollback } from "./rollback";
import { startSearch } from "./search";
import { startTheme } from "./theme";
import { startVerdicts } from "./verdicts";

startTheme();
startSearch();
startFilters();
startCopying();
startFolds();
startRollback();
startLive();
void startVerdicts();
