use ken_logic::draw::chart::chart;
